// Takes what a tracer sees to the sessions that it belongs to.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "context/name_table.h"
#include "data/accounting.h"
#include "session/core.h"
#include "tracer/tracer.h"

namespace proton_xpu {

class LaunchRouter final : public Sink {
 public:
  explicit LaunchRouter(std::shared_ptr<Core> core) : core_(std::move(core)) {}

  void on_launch(const Launch& launch) noexcept override;
  void on_activities(const Activity* activities, std::size_t count) noexcept override;
  void on_loss(std::uint64_t correlation_id, LossReason reason) noexcept override;

  /// What became of the session's launches so far.
  Accounting accounting(const Session& session) const;

  /// Gives up all launches under way: the tracer has stopped and may count from 1 again.
  void forget_launches();

 private:
  NameId kernel_name(const char* raw);
  void write_complete_phases(Session* session);

  const std::shared_ptr<Core> core_;
  // Shown names, by the driver's; raw_names_ owns the keys.
  std::unordered_map<std::string_view, NameId> kernel_names_;
  std::deque<std::string> raw_names_;
};

}  // namespace proton_xpu
