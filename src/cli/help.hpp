#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace norn {

/// What `--help` prints, no wider than the terminal.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();

  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* command) const override;

 private:
  std::size_t width_;
};

/// Two columns: a name and what it means.
std::string explained(const std::string& name, const std::string& text, std::size_t column, std::size_t width);

}  // namespace norn
