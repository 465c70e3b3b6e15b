#include "binding/python_frames.h"

#if PY_VERSION_HEX < 0x030B0000
#include <frameobject.h>
#elif PY_VERSION_HEX < 0x030E0000
#define Py_BUILD_CORE 1
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#endif

#if PY_VERSION_HEX < 0x030B0000

void proton_visit_python_frames(ProtonFrameVisitor visit, void* context) {
  const PyThreadState* thread = PyGILState_GetThisThreadState();
  if (thread == NULL) {
    return;
  }
  for (const PyFrameObject* frame = thread->frame; frame != NULL; frame = frame->f_back) {
    const ProtonPythonFrame visited = {frame->f_code, frame->f_lasti * (int)sizeof(_Py_CODEUNIT)};
    visit(visited, context);
  }
}

#elif PY_VERSION_HEX < 0x030E0000

static PyCodeObject* code_of(struct _PyInterpreterFrame* frame) {
#if PY_VERSION_HEX < 0x030D0000
  return frame->f_code;
#else
  return _PyFrame_GetCode(frame);
#endif
}

void proton_visit_python_frames(ProtonFrameVisitor visit, void* context) {
  const PyThreadState* thread = PyGILState_GetThisThreadState();
  if (thread == NULL) {
    return;
  }
#if PY_VERSION_HEX < 0x030D0000
  struct _PyInterpreterFrame* frame = thread->cframe->current_frame;
#else
  struct _PyInterpreterFrame* frame = thread->current_frame;
#endif
  for (; frame != NULL; frame = frame->previous) {
    if (_PyFrame_IsIncomplete(frame)) {
      continue;
    }
    const ProtonPythonFrame visited = {
        code_of(frame), _PyInterpreterFrame_LASTI(frame) * (int)sizeof(_Py_CODEUNIT)};
    visit(visited, context);
  }
}

#else

void proton_visit_python_frames(ProtonFrameVisitor visit, void* context) {
  if (PyGILState_Check() == 0) {
    return;
  }
  PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
  while (frame != NULL) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    const ProtonPythonFrame visited = {code, PyFrame_GetLasti(frame)};
    visit(visited, context);
    Py_DECREF(code);
    PyFrameObject* back = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = back;
  }
}

#endif
