// What a launch of a zero-length kernel costs its thread, straight through Level Zero on the
// software device, with one thing or another attached.
//
//   launch_cost ATTACHMENT BATCHES FOLDER
//
// ATTACHMENT: none, raw_pti (PTI's views), raw_pti_callback (and an empty callback for each
// operation), tracer (proton_xpu's PTI tracer and a sink that does nothing), or proton_xpu (a
// session with a tree, in nested scopes, whose file goes to FOLDER). Prints the nanoseconds per
// launch of each batch, one a line. The waits between batches are not timed.
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "context/name_table.h"
#include "device/device_table.h"
#include "raw_pti_client.h"
#include "session/session_manager.h"
#include "support/gpu_stack.h"
#include "support/level_zero_app.h"
#include "support/softgpu_control.h"
#include "tracer/pti/pti_tracer.h"

namespace proton_xpu::benchmarks {
namespace {

constexpr int kLaunchesPerBatch = 1'000;
constexpr int kWarmUpBatches = 20;
constexpr const char* kScopes[] = {"step", "layer", "attention"};

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// What is attached while launches are timed.
class Attachment {
 public:
  virtual ~Attachment() = default;
  /// Between batches, so that records do not pile up.
  virtual void settle() {}
};

class RawPti : public Attachment {
 public:
  explicit RawPti(bool with_callback) : client_(with_callback) {}
  void settle() override { client_.flush(); }

 private:
  RawPtiClient client_;
};

class NullSink : public Sink {
 public:
  void on_launch(const Launch&) noexcept override {}
  void on_activities(const Activity*, std::size_t) noexcept override {}
  void on_loss(std::uint64_t, LossReason) noexcept override {}
};

class TracerAlone : public Attachment {
 public:
  TracerAlone() : tracer_(make_pti_tracer(DeviceTable::process())) { tracer_->start(sink_); }
  ~TracerAlone() override { tracer_->stop(); }
  void settle() override { tracer_->flush(std::chrono::seconds(5)); }

 private:
  NullSink sink_;
  std::unique_ptr<Tracer> tracer_;
};

SessionEnvironment session_environment() {
  SessionEnvironment environment;
  environment.backends = {"xpupti"};
  environment.make_tracer = [](const std::string&) {
    return make_pti_tracer(DeviceTable::process());
  };
  environment.device_facts = [](std::uint32_t) { return DeviceFacts(); };
  environment.version = "benchmark";
  return environment;
}

class ProtonXpu : public Attachment {
 public:
  explicit ProtonXpu(const std::string& folder) : manager_(session_environment()) {
    session_ = manager_.start(folder + "/launch_cost", "shadow", "tree", "xpupti", "");
    for (const char* name : kScopes) {
      manager_.thread().enter_scope(manager_.new_scope_id(), NameTable::instance().intern(name));
    }
  }

  ~ProtonXpu() override {
    for (const std::string& warning : manager_.finalize(session_, "")) {
      std::fprintf(stderr, "%s\n", warning.c_str());
    }
  }

  void settle() override {
    manager_.deactivate(session_, true);
    manager_.activate(session_);
  }

 private:
  SessionManager manager_;
  int session_;
};

std::unique_ptr<Attachment> attach(const std::string& name, const std::string& folder) {
  if (name == "none") return std::make_unique<Attachment>();
  if (name == "raw_pti") return std::make_unique<RawPti>(false);
  if (name == "raw_pti_callback") return std::make_unique<RawPti>(true);
  if (name == "tracer") return std::make_unique<TracerAlone>();
  if (name == "proton_xpu") return std::make_unique<ProtonXpu>(folder);
  throw std::runtime_error("there is no attachment " + name);
}

void script_zero_length_kernels() {
  const testing::SoftgpuControl device;
  device.set_clock(SOFTGPU_CLOCK_SCRIPTED);
  device.set_execution(0);
  device.script_push(nullptr, 0, 0, UINT64_MAX);
}

double time_batch(testing::LevelZeroApp& app, ze_command_list_handle_t list) {
  const std::uint64_t start = now_ns();
  for (int i = 0; i < kLaunchesPerBatch; ++i) app.launch(list, 0);
  const std::uint64_t end = now_ns();
  app.wait(list);
  return static_cast<double>(end - start) / kLaunchesPerBatch;
}

void run(const std::string& name, int batches, const std::string& folder) {
  testing::use_gpu_stack();
  script_zero_length_kernels();
  const std::unique_ptr<Attachment> attachment = attach(name, folder);
  testing::LevelZeroApp app({"empty"});
  ze_command_list_handle_t list = app.make_immediate_list();
  for (int i = -kWarmUpBatches; i < batches; ++i) {
    const double ns = time_batch(app, list);
    attachment->settle();
    if (i >= 0) std::printf("%.2f\n", ns);
  }
}

}  // namespace
}  // namespace proton_xpu::benchmarks

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: launch_cost ATTACHMENT BATCHES FOLDER\n");
    return 2;
  }
  try {
    proton_xpu::benchmarks::run(argv[1], std::stoi(argv[2]), argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "launch_cost: %s\n", error.what());
    return 1;
  }
  return 0;
}
