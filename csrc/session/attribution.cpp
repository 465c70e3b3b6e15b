#include "session/attribution.h"

#include <algorithm>
#include <utility>

#include "session/session.h"

namespace proton_xpu {

Attribution* AttributionPool::make(std::vector<Target> targets) {
  auto made = std::make_unique<Attribution>(std::move(targets));
  Attribution* attribution = made.get();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (attributions_.size() >= next_sweep_) {
    drop_done();
    next_sweep_ = std::max<std::size_t>(1024, attributions_.size() * 2);
  }
  attributions_.push_back(std::move(made));
  return attribution;
}

// The launches of a dropped attribution stay counted in its sessions.
void AttributionPool::drop_done() {
  const auto first_done =
      std::partition(attributions_.begin(), attributions_.end(),
                     [](const auto& attribution) { return !attribution->is_done(); });
  for (auto done = first_done; done != attributions_.end(); ++done) {
    for (const Target& target : (*done)->targets()) {
      target.session->add_past_launches((*done)->launches());
    }
  }
  attributions_.erase(first_done, attributions_.end());
}

std::uint64_t AttributionPool::launches(const Session& session) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t launches = session.past_launches();
  for (const auto& attribution : attributions_) {
    for (const Target& target : attribution->targets()) {
      if (target.session.get() == &session) {
        launches += attribution->launches();
      }
    }
  }
  return launches;
}

std::uint64_t AttributionPool::outstanding(const Session& session, Phase phase) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t outstanding = 0;
  for (const auto& attribution : attributions_) {
    for (const Target& target : attribution->targets()) {
      if (target.session.get() == &session && target.placement.phase == phase) {
        outstanding += attribution->outstanding();
      }
    }
  }
  return outstanding;
}

}  // namespace proton_xpu
