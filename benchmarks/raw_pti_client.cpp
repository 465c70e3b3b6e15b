#include "raw_pti_client.h"

#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>

#include "device/level_zero.h"
#include "tracer/pti/pti_library.h"

namespace proton_xpu::benchmarks {
namespace {

constexpr std::size_t kBufferBytes = 256 * 1024;
constexpr pti::ViewKind kViews[] = {pti::ViewKind::kKernel, pti::ViewKind::kMemoryCopy,
                                    pti::ViewKind::kMemoryFill};

PtiLibrary* library = nullptr;
std::atomic<std::uint64_t> kernel_records{0};

std::uint64_t read_clock() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void provide_buffer(unsigned char** buffer, std::size_t* size) {
  *buffer = static_cast<unsigned char*>(std::malloc(kBufferBytes));
  *size = *buffer != nullptr ? kBufferBytes : 0;
}

void walk_buffer(unsigned char* buffer, std::size_t, std::size_t used) {
  pti::RecordBase* record = nullptr;
  while (library->view_get_next_record(buffer, used, &record) == pti::Result::kSuccess) {
    if (record->kind == pti::ViewKind::kKernel) kernel_records.fetch_add(1);
  }
  std::free(buffer);
}

void ignore_operation(pti::CallbackDomain, std::uint32_t, std::uint32_t, void*, void*, void*,
                      void**) {}

}  // namespace

RawPtiClient::RawPtiClient(bool with_callback) {
  // PTI aborts the process if the driver does not start.
  LevelZero::open();
  library = &PtiLibrary::open({});
  library->initialize(read_clock, provide_buffer, walk_buffer);
  for (const pti::ViewKind view : kViews) {
    library->check(library->view_enable(view), "ptiViewEnable");
  }
  if (with_callback) {
    pti::SubscriberHandle subscriber = nullptr;
    library->check(library->callback_subscribe(&subscriber, ignore_operation, nullptr),
                   "ptiCallbackSubscribe");
    library->check(
        library->callback_enable_domain(subscriber, pti::CallbackDomain::kOperationAppended, 0, 1),
        "ptiCallbackEnableDomain");
  }
}

RawPtiClient::~RawPtiClient() {
  for (const pti::ViewKind view : kViews) library->view_disable(view);
  library->flush_all_views();
}

std::uint64_t RawPtiClient::flush() {
  library->check(library->flush_all_views(), "ptiFlushAllViews");
  return kernel_records.load();
}

}  // namespace proton_xpu::benchmarks
