#include "report/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace norn {
namespace {

constexpr std::string_view mark = ">> ";
constexpr std::string_view between = " | ";
constexpr std::size_t least_column = 18;
constexpr std::size_t most_lines = 3;  ///< of one text in a column
constexpr std::size_t widest_thread_name = 20;

std::string text_of(const Row& row) { return row.marked ? fmt::format("{}{}", mark, row.text) : row.text; }

std::string place_of(const Row& row) { return row.place.file.empty() ? "" : row.place.base_text(); }

/// How a row is put into its column.
enum class Form {
  file_and_line,
  line_word,    ///< "line 12", where all places are in one file
  line_number,  ///< ":12", likewise
  stacked,      ///< the place stands below the text, where there are several files
};

/// A text in a column; all lines but the first are indented.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  constexpr std::size_t hanging = 2;
  std::vector<std::string> lines;
  std::string rest = text;
  while (!rest.empty() && lines.size() < most_lines) {
    const std::size_t indent = lines.empty() ? 0 : hanging;
    if (lines.size() + 1 == most_lines) rest = shorten(rest, width - indent);
    const std::string wrapped = wrap(rest, width, indent);
    lines.push_back(wrapped.substr(0, wrapped.find('\n')));
    rest.erase(0, lines.back().size() - indent);
    rest.erase(0, std::min(rest.find_first_not_of(' '), rest.size()));
  }
  return lines;
}

/// Without spaces at the ends of lines.
std::string line(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

class Columns {
 public:
  Columns(const std::vector<Row>& rows, const TextStyle& style, std::size_t indent)
      : rows_(rows), painter_(style), room_(style.width > indent ? style.width - indent : 0), indent_(indent) {
    std::set<std::string> names;
    for (const Row& row : rows)
      if (!row.thread.empty()) names.insert(row.thread);
    threads_.assign(names.begin(), names.end());
    std::sort(threads_.begin(), threads_.end(), comes_before);
    for (std::size_t i = 0; i < threads_.size(); ++i) index_[threads_[i]] = i;
  }

  /// False if there is not enough room for columns.
  bool fit() {
    if (threads_.empty()) return false;
    const bool one_file = !only_file(rows_).empty();
    for (const Form form : {Form::file_and_line, Form::line_word, Form::line_number, Form::stacked}) {
      if (form != Form::file_and_line && one_file == (form == Form::stacked)) continue;
      form_ = form;
      measure();
      if (total() <= room_) return true;
    }
    return squeeze();
  }

  [[nodiscard]] std::string draw() const {
    std::string text = draw_header();
    for (const Row& row : rows_)
      text += row.thread.empty() ? line(std::string(indent_, ' ') + painter_.faint(shorten(row.text, room_)))
                                 : draw_row(row);
    return text;
  }

 private:
  /// How wide the columns would like to be.
  void measure() {
    widths_.assign(threads_.size(), 0);
    for (std::size_t i = 0; i < threads_.size(); ++i) widths_[i] = display_width(threads_[i]);
    for (const Row& row : rows_) {
      if (row.thread.empty()) continue;
      std::size_t& width = widths_[index_.at(row.thread)];
      const std::size_t text = display_width(text_of(row));
      const std::size_t place = display_width(place_in_cell(row));
      width = std::max(width, form_ == Form::stacked || place == 0 ? std::max(text, place + 2) : text + 2 + place);
    }
  }

  [[nodiscard]] std::size_t total() const {
    std::size_t sum = (threads_.size() - 1) * between.size();
    for (const std::size_t width : widths_) sum += width;
    return sum;
  }

  /// Takes from the widest columns until all fit; their texts then take several lines.
  bool squeeze() {
    while (total() > room_) {
      std::size_t& widest = *std::max_element(widths_.begin(), widths_.end());
      if (widest <= least_column) return false;
      --widest;
    }
    return true;
  }

  [[nodiscard]] std::string draw_header() const {
    std::string names(indent_, ' ');
    std::string rule(indent_, ' ');
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const bool last = i + 1 == threads_.size();
      const std::string name = pad(shorten(threads_[i], widths_[i]), last ? 0 : widths_[i]);
      names += painter_.heading(name) + std::string(last ? "" : between);
      rule += std::string(widths_[i], '-') + (last ? "" : "-+-");
    }
    return names + "\n" + painter_.faint(rule) + "\n";
  }

  [[nodiscard]] std::string draw_row(const Row& row) const {
    const std::size_t column = index_.at(row.thread);
    std::string text;
    for (const std::string& cell : cell_lines(row, widths_[column])) {
      std::string drawn(indent_, ' ');
      for (std::size_t i = 0; i < threads_.size(); ++i) {
        const std::string content = i == column ? cell : "";
        drawn += row.marked ? painter_.bad(content) : content;
        if (i + 1 != threads_.size()) drawn += pad("", widths_[i] - display_width(content)) + std::string(between);
      }
      text += line(drawn);
    }
    return text;
  }

  [[nodiscard]] std::string place_in_cell(const Row& row) const {
    if (row.place.file.empty()) return "";
    if (form_ == Form::line_word) return fmt::format("line {}", row.place.line);
    if (form_ == Form::line_number) return fmt::format(":{}", row.place.line);
    return place_of(row);
  }

  [[nodiscard]] std::vector<std::string> cell_lines(const Row& row, std::size_t width) const {
    const std::string place = place_in_cell(row);
    const bool beside = form_ != Form::stacked && !place.empty();
    std::vector<std::string> lines =
        lines_of(beside ? fmt::format("{}  {}", text_of(row), place) : text_of(row), width);
    if (!beside && !place.empty()) lines.push_back("  " + shorten(place, width - 2));
    return lines;
  }

  const std::vector<Row>& rows_;
  Painter painter_;
  std::size_t room_;
  std::size_t indent_;
  std::vector<std::string> threads_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::size_t> widths_;
  Form form_ = Form::file_and_line;
};

/// One line a row, with the name of the thread in front; what does not fit goes to lines of its own.
class List {
 public:
  List(const std::vector<Row>& rows, const TextStyle& style, std::size_t indent)
      : rows_(rows), painter_(style), indent_(indent), width_(style.width) {
    std::size_t place_width = 0;
    for (const Row& row : rows) {
      if (row.thread.empty()) continue;
      name_width_ = std::min(std::max(name_width_, display_width(row.thread)), widest_thread_name);
      text_width_ = std::max(text_width_, display_width(row.text));
      place_width = std::max(place_width, display_width(place_of(row)));
    }
    const std::size_t front = indent + mark.size() + name_width_ + 2;
    room_ = width_ > front + 4 ? width_ - front : 4;
    beside_ = text_width_ + 2 + place_width <= room_;
  }

  [[nodiscard]] std::string draw() const {
    std::string text;
    for (const Row& row : rows_) {
      if (row.thread.empty()) {
        text += std::string(indent_, ' ') + painter_.faint(shorten(row.text, width_ - indent_)) + "\n";
        continue;
      }
      std::string name = shorten(row.thread, name_width_);
      std::string_view front = row.marked ? mark : "   ";
      for (const std::string& part : lines(row)) {
        const std::string drawn = fmt::format("{}{}  {}", front, pad(name, name_width_), part);
        text += std::string(indent_, ' ') + (row.marked ? painter_.bad(drawn) : drawn) + "\n";
        name.clear();
        front = "   ";
      }
    }
    return text;
  }

 private:
  [[nodiscard]] std::vector<std::string> lines(const Row& row) const {
    std::vector<std::string> lines = lines_of(row.text, room_);
    const std::string place = place_of(row);
    if (place.empty()) return lines;
    if (beside_) return {fmt::format("{}  {}", pad(row.text, text_width_), place)};
    lines.push_back("  " + shorten(place, room_ - 2));
    return lines;
  }

  const std::vector<Row>& rows_;
  Painter painter_;
  std::size_t indent_;
  std::size_t width_;
  std::size_t name_width_ = 0;
  std::size_t text_width_ = 0;
  std::size_t room_ = 0;
  bool beside_ = false;  ///< places stand in the same line as the texts
};

std::vector<unsigned long> descent(const std::string& thread) {
  std::vector<unsigned long> numbers;
  for (std::size_t at = thread.find('/'); at != std::string::npos; at = thread.find('/', at + 1))
    numbers.push_back(std::strtoul(thread.c_str() + at + 1, nullptr, 10));
  return numbers;
}

}  // namespace

bool comes_before(const std::string& thread, const std::string& other) {
  return std::make_pair(descent(thread), thread) < std::make_pair(descent(other), other);
}

std::string diagram(const std::vector<Row>& rows, const TextStyle& style, std::size_t indent) {
  Columns columns(rows, style, indent);
  return columns.fit() ? columns.draw() : List(rows, style, indent).draw();
}

}  // namespace norn
