#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study.hpp"

namespace studies {
namespace {

constexpr double panel_width = 300;
constexpr double panel_height = 190;
constexpr double left = 44;
constexpr double right = 10;
constexpr double top = 24;
constexpr double bottom = 34;
constexpr unsigned columns = 3;
constexpr const char* colors[] = {"#1d5fd1", "#8a5a00", "#1c7a3e", "#b81d24"};
constexpr const char* dashes[] = {"none", "2 3", "6 3", "8 3 2 3"};

template <typename Value>
std::vector<std::pair<double, double>> sampled(const std::vector<Measured>& all, const std::vector<double>& places,
                                               double end, const Value& value) {
  std::vector<std::pair<double, double>> points;
  for (const double place : places) {
    if (place > end) break;
    double sum = 0;
    for (const Measured& one : all) sum += value(one, place);
    points.emplace_back(place, sum / static_cast<double>(all.size()));
  }
  return points;
}

template <typename Value>
double least(const std::vector<Measured>& all, const Value& value) {
  double result = value(all.front());
  for (const Measured& one : all) result = std::min(result, value(one));
  return result;
}

template <typename Value, typename End>
std::vector<Plot> plots_of(const std::vector<Subject>& subjects, const std::vector<double>& places, const Value& value,
                           const End& end) {
  std::vector<Plot> plots;
  for (const Subject& subject : subjects) {
    Plot plot{subject.name, {}};
    const auto add = [&](const std::string& name, const std::vector<Measured>& all) {
      plot.curves.emplace_back(name, sampled(all, places, least(all, end), value));
    };
    add("coverage", subject.coverage);
    for (const std::string& kind : noises) add(kind, subject.noise.at(kind));
    plots.push_back(std::move(plot));
  }
  return plots;
}

/// From what is plotted to where it is on the panel.
class Axes {
 public:
  Axes(const Plot& plot, bool logarithmic) : logarithmic_(logarithmic) {
    first_ = INFINITY;
    for (const auto& [name, points] : plot.curves)
      for (const auto& [x, y] : points) {
        first_ = std::min(first_, x);
        last_ = std::max(last_, x);
        most_ = std::max(most_, y);
      }
    if (!logarithmic_) first_ = 0;
    most_ = std::ceil(most_ * 1.05);
  }

  [[nodiscard]] double x(double value) const {
    const double share = logarithmic_ ? std::log(value / first_) / std::log(last_ / first_) : value / last_;
    return left + share * (panel_width - left - right);
  }
  [[nodiscard]] double y(double value) const {
    return panel_height - bottom - value / most_ * (panel_height - top - bottom);
  }
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] std::vector<double> ticks() const {
    if (!logarithmic_) return {0, last_ / 2, last_};
    std::vector<double> all;
    for (double tick = 1e-6; tick <= last_; tick *= 10)
      if (tick >= first_) all.push_back(tick);
    return all;
  }

 private:
  bool logarithmic_;
  double first_ = 0;
  double last_ = 1;
  double most_ = 1;
};

std::string panel(const Plot& plot, const std::string& horizontal, bool logarithmic) {
  const Axes axes(plot, logarithmic);
  std::string text = fmt::format("<text class=\"title\" x=\"{}\" y=\"15\">{}</text>\n", left, plot.title);
  text += fmt::format("<path class=\"axis\" d=\"M{0} {1}V{2}H{3}\"/>\n", left, top, panel_height - bottom,
                      panel_width - right);
  for (const double tick : axes.ticks())
    text += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", axes.x(tick),
                        panel_height - bottom + 13, tick);
  for (const double tick : {0.0, std::round(axes.most() / 2), axes.most()})
    text += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", left - 5,
                        axes.y(tick) + 3, tick);
  text += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                      (left + panel_width - right) / 2, panel_height - 6, horizontal);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    std::string path;
    for (const auto& [x, y] : plot.curves[i].second)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", axes.x(x), axes.y(y));
    text += fmt::format("<path class=\"curve\" stroke=\"{}\" stroke-dasharray=\"{}\" d=\"{}\"/>\n", colors[i % 4],
                        dashes[i % 4], path);
  }
  return text;
}

}  // namespace

std::vector<Plot> by_runs(const std::vector<Subject>& subjects, const Scale& scale) {
  std::vector<double> places;
  const double step = std::max(1.0, scale.runs / 100.0);
  for (double run = 1; run <= scale.runs; run = run < step ? step : run + step) places.push_back(std::round(run));
  return plots_of(
      subjects, places, [](const Measured& one, double run) { return one.covered_after(run); },
      [](const Measured& one) { return one.runs(); });
}

std::vector<Plot> by_time(const std::vector<Subject>& subjects) {
  std::vector<double> places;
  for (double seconds = 0.003; seconds < 1000; seconds *= 1.15) places.push_back(seconds);
  return plots_of(
      subjects, places, [](const Measured& one, double seconds) { return one.covered_within(seconds); },
      [](const Measured& one) { return one.curve.back().seconds; });
}

std::string to_svg(const std::vector<Plot>& plots, const std::string& horizontal, bool logarithmic) {
  constexpr double legend = 30;
  const std::size_t rows = (plots.size() + columns - 1) / columns;
  const double width = panel_width * columns;
  const double height = legend + panel_height * static_cast<double>(rows);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\">\n<style>.title{{font-size:12px;font-weight:bold}}.tick{{font-size:10px;fill:#555}}"
      ".axis{{fill:none;stroke:#999}}.curve{{fill:none;stroke-width:1.8}}.key{{font-size:12px}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  for (std::size_t i = 0; i < plots.front().curves.size(); ++i)
    text += fmt::format(
        "<path class=\"curve\" stroke=\"{0}\" stroke-dasharray=\"{1}\" d=\"M{2} 16h34\"/><text class=\"key\" x=\"{3}\" "
        "y=\"20\">{4}</text>\n",
        colors[i % 4], dashes[i % 4], left + 150 * static_cast<double>(i), left + 42 + 150 * static_cast<double>(i),
        plots.front().curves[i].first);
  for (std::size_t i = 0; i < plots.size(); ++i)
    text +=
        fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", panel_width * static_cast<double>(i % columns),
                    legend + panel_height * static_cast<double>(i / columns), panel(plots[i], horizontal, logarithmic));
  return text + "</svg>\n";
}

std::string to_data(const std::vector<Plot>& plots, const std::string& horizontal) {
  std::string text = fmt::format("# {}, covered pairs; a data set for every curve\n", horizontal);
  for (const Plot& plot : plots)
    for (const auto& [name, points] : plot.curves) {
      text += fmt::format("# {} {}\n", plot.title, name);
      for (const auto& [x, y] : points) text += fmt::format("{:.4g} {:.1f}\n", x, y);
      text += "\n\n";
    }
  return text;
}

}  // namespace studies
