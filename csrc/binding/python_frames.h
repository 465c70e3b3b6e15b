/* The frames of the calling thread's Python code, read without the interpreter lock. */
#pragma once

#include <Python.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  PyCodeObject* code; /* Borrowed: alive as long as the frame. */
  int offset;         /* Of the instruction that runs, in bytes; -1 before the first. */
} ProtonPythonFrame;

/* Called for each frame, the innermost first. */
typedef void (*ProtonFrameVisitor)(ProtonPythonFrame frame, void* context);

/* The thread may have released the interpreter lock around a call, as Triton's launcher does: no
 * other thread changes this thread's frames meanwhile. Waiting for the lock here could block for
 * ever, since a caller may hold a lock of the GPU driver that a thread with the interpreter lock
 * waits for. From Python 3.14 on, whose frames this code does not know, a thread without the
 * interpreter lock has no frames. */
void proton_visit_python_frames(ProtonFrameVisitor visit, void* context);

#ifdef __cplusplus
}
#endif
