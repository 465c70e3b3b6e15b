#include "tracer/pti/pti_tracer.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "device/level_zero.h"
#include "tracer/pti/buffer_pool.h"
#include "tracer/pti/launch_ledger.h"
#include "tracer/pti/pti_library.h"
#include "tracer/pti/record_decoder.h"
#include "tracer/pti/record_harvester.h"

namespace proton_xpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// About 1,400 kernel records; PTI holds one for each launching thread.
constexpr std::size_t kBufferBytes = 256 * 1024;
constexpr std::size_t kMaxIdleBuffers = 64;

/// Activities handed over at once.
constexpr std::size_t kBatchSize = 256;

/// How long stop() waits while nothing comes in.
constexpr milliseconds kStopPatience{1000};

constexpr std::chrono::microseconds kFirstPause{100};
constexpr std::chrono::microseconds kLongestPause{5000};

/// Before this release PTI fails on the loader's missing zesInit.
constexpr LevelZeroVersion kOldestLoader{1, 16, 15};

constexpr pti::ViewKind kViews[] = {pti::ViewKind::kKernel, pti::ViewKind::kMemoryCopy,
                                    pti::ViewKind::kMemoryFill,
                                    pti::ViewKind::kMemoryCopyPeerToPeer};

/// Set in a forked child and when the process ends: PTI's threads or its state are gone then, so
/// nothing of it may be called and nothing that it calls may do any work.
std::atomic<bool> g_inert{false};

void become_inert() { g_inert.store(true, std::memory_order_relaxed); }

void exit_at_once(int status, void*) {
  std::fflush(nullptr);
  _exit(status);
}

/// PTI's destructors wait for threads that a forked child does not have. What is registered here
/// runs before them.
void become_inert_child() {
  become_inert();
  on_exit(exit_at_once, nullptr);
}

std::uint64_t read_clock() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

BufferPool& buffer_pool() {
  // Leaked on purpose: PTI keeps blocks until the very end of the process.
  static BufferPool* pool = new BufferPool(kBufferBytes, kMaxIdleBuffers);
  return *pool;
}

class PtiTracer;

/// The tracer that receives PTI's buffers, which carry no user data, and the lock that is held
/// while it handles one.
struct Receiver {
  std::mutex mutex;
  PtiTracer* tracer = nullptr;
};

Receiver& receiver() {
  static Receiver* instance = new Receiver();
  return *instance;
}

class PtiTracer final : public Tracer {
 public:
  PtiTracer(DeviceTable& devices, std::string library_path)
      : devices_(devices), library_path_(std::move(library_path)) {}

  ~PtiTracer() override { stop(); }

  void start(Sink& sink) override;
  bool flush(milliseconds patience) override;
  void stop() noexcept override;
  TracerInfo info() const override;

 private:
  static void on_buffer_requested(unsigned char** buffer, std::size_t* size);
  static void on_buffer_completed(unsigned char* buffer, std::size_t size, std::size_t used);
  static void on_operation_appended(pti::CallbackDomain domain, std::uint32_t api_group,
                                    std::uint32_t api_id, void* context, void* data,
                                    void* user_data, void** instance_data);

  void become_receiver(Sink& sink);
  void enable_views();
  void disable_views() noexcept;
  void unsubscribe() noexcept;
  void note_launch(const pti::OperationData& data, std::uint32_t api_id) noexcept;
  void deliver(unsigned char* buffer, std::size_t used);
  bool collect(milliseconds patience);
  void give_up(const LaunchLedger::PendingBlocks& blocks);
  static void finish_delivery();

  DeviceTable& devices_;
  const std::string library_path_;
  const LevelZero* level_zero_ = nullptr;
  PtiLibrary* library_ = nullptr;
  Sink* sink_ = nullptr;  ///< Null while stopped.
  std::uint32_t fill_api_id_ = 0;
  pti::SubscriberHandle subscriber_ = nullptr;
  std::size_t enabled_views_ = 0;  ///< The first so many of kViews.
  LaunchLedger ledger_;
  std::optional<RecordDecoder> decoder_;
  std::unique_ptr<RecordHarvester> harvester_;
  std::array<Activity, kBatchSize> batch_;
  std::atomic<std::uint64_t> unmatched_records_{0};
  std::atomic<std::uint64_t> failed_deliveries_{0};
};

void PtiTracer::on_buffer_requested(unsigned char** buffer, std::size_t* size) {
  *buffer = buffer_pool().take();
  *size = *buffer != nullptr ? buffer_pool().block_size() : 0;
}

void PtiTracer::on_buffer_completed(unsigned char* buffer, std::size_t, std::size_t used) {
  if (g_inert.load(std::memory_order_relaxed)) return;
  {
    Receiver& target = receiver();
    const std::lock_guard<std::mutex> lock(target.mutex);
    if (target.tracer != nullptr && buffer != nullptr && used != 0) {
      try {
        target.tracer->deliver(buffer, used);
      } catch (const std::exception&) {
        // Only memory can be missing here; the records' launches stay pending and so are reported
        // as lost.
        target.tracer->failed_deliveries_.fetch_add(1, std::memory_order_relaxed);
      }
    }
  }
  buffer_pool().give_back(buffer);
}

void PtiTracer::on_operation_appended(pti::CallbackDomain, std::uint32_t, std::uint32_t api_id,
                                      void*, void* data, void* user_data, void**) {
  if (g_inert.load(std::memory_order_relaxed)) return;
  static_cast<PtiTracer*>(user_data)->note_launch(*static_cast<const pti::OperationData*>(data),
                                                  api_id);
}

void PtiTracer::note_launch(const pti::OperationData& data, std::uint32_t api_id) noexcept {
  if (data.phase != pti::CallbackPhase::kExit || data.return_code != ZE_RESULT_SUCCESS) return;
  const bool deferred = (data.command_list_type & pti::kCommandListImmediate) == 0;
  for (std::uint32_t i = 0; i < data.operation_count; ++i) {
    const pti::OperationDetails& operation = data.operations[i];
    ActivityKind kind = ActivityKind::kKernel;
    if (operation.kind == pti::OperationKind::kMemory) {
      kind = api_id == fill_api_id_ ? ActivityKind::kFill : ActivityKind::kCopy;
    } else if (operation.kind != pti::OperationKind::kKernel) {
      continue;
    }
    ledger_.add(operation.operation_id, deferred);
    sink_->on_launch({operation.operation_id, kind, deferred});
  }
}

void PtiTracer::deliver(unsigned char* buffer, std::size_t used) {
  std::size_t filled = 0;
  pti::RecordBase* record = nullptr;
  while (library_->view_get_next_record(buffer, used, &record) == pti::Result::kSuccess) {
    const std::optional<DecodedRecord> decoded = decoder_->decode(*record);
    if (!decoded) continue;
    const std::uint64_t id = decoded->activity.correlation_id;
    if (ledger_.claim(id) == LaunchLedger::Claim::kUnknown) {
      unmatched_records_.fetch_add(1, std::memory_order_relaxed);
    } else if (decoded->loss) {
      sink_->on_loss(id, *decoded->loss);
    } else {
      batch_[filled++] = decoded->activity;
    }
    if (filled == batch_.size()) {
      sink_->on_activities(batch_.data(), filled);
      filled = 0;
    }
  }
  if (filled != 0) sink_->on_activities(batch_.data(), filled);
}

void PtiTracer::become_receiver(Sink& sink) {
  Receiver& target = receiver();
  const std::lock_guard<std::mutex> lock(target.mutex);
  if (target.tracer != nullptr) {
    throw std::runtime_error(
        "Another PTI tracer is running in this process; stop it first, PTI serves only one.");
  }
  target.tracer = this;
  sink_ = &sink;
}

void PtiTracer::enable_views() {
  for (pti::ViewKind view : kViews) {
    library_->check(library_->view_enable(view), "ptiViewEnable");
    ++enabled_views_;
  }
}

void PtiTracer::disable_views() noexcept {
  for (std::size_t i = 0; i < enabled_views_; ++i) library_->view_disable(kViews[i]);
  enabled_views_ = 0;
}

void PtiTracer::unsubscribe() noexcept {
  // PTI waits here until no callback runs any more.
  if (subscriber_ != nullptr) library_->callback_unsubscribe(subscriber_);
  subscriber_ = nullptr;
}

void PtiTracer::start(Sink& sink) {
  if (sink_ != nullptr) throw std::runtime_error("The PTI tracer is running already.");
  if (g_inert.load(std::memory_order_relaxed)) {
    // Scopes and metrics can still be recorded. Level Zero is as unusable as PTI here, so there is
    // no GPU work to miss.
    sink_ = &sink;
    return;
  }
  level_zero_ = &LevelZero::open();
  if (level_zero_->version() < kOldestLoader) {
    throw std::runtime_error("Intel PTI needs a Level Zero loader of version " +
                             to_string(kOldestLoader) + " or newer, but " + level_zero_->path() +
                             " is " + to_string(level_zero_->version()) +
                             "; install a newer libze1.");
  }
  library_ = &PtiLibrary::open(library_path_);
  devices_.load();
  if (!decoder_) decoder_.emplace(devices_, library_->has_device_handles());
  become_receiver(sink);
  try {
    library_->initialize(read_clock, on_buffer_requested, on_buffer_completed);
    static std::once_flag hooks;
    std::call_once(hooks, [] {
      pthread_atfork(nullptr, nullptr, become_inert_child);
      std::atexit(become_inert);
    });
    fill_api_id_ = library_->find_api_id("zeCommandListAppendMemoryFill");
    enable_views();
    library_->check(library_->callback_subscribe(&subscriber_, on_operation_appended, this),
                    "ptiCallbackSubscribe");
    const std::uint32_t on_enter = library_->couples_exit_to_enter() ? 1 : 0;
    library_->check(library_->callback_enable_domain(
                        subscriber_, pti::CallbackDomain::kOperationAppended, on_enter, 1),
                    "ptiCallbackEnableDomain");
  } catch (...) {
    stop();
    throw;
  }
}

void PtiTracer::give_up(const LaunchLedger::PendingBlocks& blocks) {
  const std::lock_guard<std::mutex> lock(receiver().mutex);
  for (std::uint64_t id : ledger_.give_up(blocks)) sink_->on_loss(id, LossReason::kNoRecord);
}

void PtiTracer::finish_delivery() {
  // A launch leaves the ledger a little before its activity reaches the sink.
  const std::lock_guard<std::mutex> lock(receiver().mutex);
}

bool PtiTracer::collect(milliseconds patience) {
  const LaunchLedger::PendingBlocks awaited = ledger_.pending();
  library_->flush_all_views();
  std::size_t remaining = ledger_.count_remaining(awaited);
  // Whether a list with deferred launches has run is not known, so those get one harvest.
  if (remaining == 0 && !ledger_.has_deferred()) {
    finish_delivery();
    return true;
  }

  if (harvester_ == nullptr) harvester_ = std::make_unique<RecordHarvester>(*level_zero_);
  auto last_progress = steady_clock::now();
  std::chrono::microseconds pause = kFirstPause;
  while (true) {
    harvester_->harvest();
    library_->flush_all_views();
    const std::size_t now_remaining = ledger_.count_remaining(awaited);
    if (now_remaining == 0) {
      finish_delivery();
      return true;
    }
    if (now_remaining < remaining) {
      remaining = now_remaining;
      last_progress = steady_clock::now();
      pause = kFirstPause;
    } else if (steady_clock::now() - last_progress >= patience) {
      give_up(awaited);
      return false;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
  }
}

bool PtiTracer::flush(milliseconds patience) {
  if (sink_ == nullptr || g_inert.load(std::memory_order_relaxed)) return true;
  return collect(patience);
}

void PtiTracer::stop() noexcept {
  if (sink_ == nullptr) return;
  if (!g_inert.load(std::memory_order_relaxed)) {
    try {
      unsubscribe();
      if (enabled_views_ != 0) collect(kStopPatience);
    } catch (const std::exception&) {
      failed_deliveries_.fetch_add(1, std::memory_order_relaxed);
    }
    disable_views();
    library_->flush_all_views();
    harvester_.reset();
    const std::lock_guard<std::mutex> lock(receiver().mutex);
    receiver().tracer = nullptr;
  } else {
    // Level Zero is not to be called any more.
    static_cast<void>(harvester_.release());
  }
  ledger_.clear();
  sink_ = nullptr;
}

TracerInfo PtiTracer::info() const {
  TracerInfo info;
  info.backend = "xpupti";
  if (g_inert.load(std::memory_order_relaxed)) {
    info.notes.push_back("GPU work is not recorded: Intel PTI does not survive fork().");
  }
  if (library_ == nullptr) return info;
  info.library = library_->path();
  info.version = library_->version_string();
  info.notes.push_back(library_->collection_mode_note());
  info.notes.push_back("Level Zero loader " + to_string(level_zero_->version()) + " at " +
                       level_zero_->path() + ".");
  if (const std::uint64_t count = unmatched_records_.load(std::memory_order_relaxed)) {
    info.notes.push_back(std::to_string(count) +
                         " records were left out: their launches were from before the start, or "
                         "given up at a flush.");
  }
  if (const std::uint64_t count = failed_deliveries_.load(std::memory_order_relaxed)) {
    info.notes.push_back("Memory was missing " + std::to_string(count) +
                         " times while records were read.");
  }
  if (const std::uint64_t count = ledger_.dropped()) {
    info.notes.push_back("Memory was missing for " + std::to_string(count) +
                         " launches, whose records were left out.");
  }
  return info;
}

}  // namespace

std::unique_ptr<Tracer> make_pti_tracer(DeviceTable& devices, std::string library_path) {
  return std::make_unique<PtiTracer>(devices, std::move(library_path));
}

}  // namespace proton_xpu
