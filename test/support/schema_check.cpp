#include "schema_check.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"

#include <algorithm>
#include <set>

namespace vprof::test {
namespace {

using Json = nlohmann::json;

bool is_integer(const Json &value) {
  return value.is_number_integer();
}

bool has_type(const Json &value, const std::string &type) {
  return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
         (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
         (type == "null" && value.is_null()) || (type == "integer" && is_integer(value)) ||
         (type == "number" && value.is_number());
}

class Checker {
public:
  explicit Checker(const Json &root) : root_(root) {}

  std::vector<std::string> check(const Json &schema, const Json &value, const std::string &at) const {
    std::vector<std::string> errors;
    for (const auto &[keyword, rule] : schema.items()) {
      const std::vector<std::string> more = check_keyword(keyword, rule, schema, value, at);
      errors.insert(errors.end(), more.begin(), more.end());
    }
    return errors;
  }

private:
  using Errors = std::vector<std::string>;

  Errors check_keyword(const std::string &keyword, const Json &rule, const Json &schema, const Json &value,
                       const std::string &at) const {
    static const std::set<std::string> notes{"$schema", "$id", "$defs", "title", "description", "$comment"};
    if (notes.count(keyword) != 0)
      return {};
    if (keyword == "$ref")
      return check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, at);
    if (keyword == "anyOf")
      return any_of(rule, value, at);
    if (keyword == "properties" || keyword == "required" || keyword == "additionalProperties")
      return value.is_object() ? check_object(keyword, rule, schema, value, at) : Errors{};
    if (keyword == "items" || keyword == "minItems" || keyword == "maxItems" || keyword == "prefixItems")
      return value.is_array() ? check_array(keyword, rule, schema, value, at) : Errors{};
    return check_scalar(keyword, rule, value, at);
  }

  Errors any_of(const Json &rule, const Json &value, const std::string &at) const {
    Errors last;
    for (const Json &choice : rule) {
      last = check(choice, value, at);
      if (last.empty())
        return {};
    }
    return last;
  }

  Errors check_object(const std::string &keyword, const Json &rule, const Json &schema, const Json &value,
                      const std::string &at) const {
    Errors errors;
    if (keyword == "required")
      for (const Json &name : rule)
        if (!value.contains(name.get<std::string>()))
          errors.push_back(at + ": " + name.get<std::string>() + " is missing");
    for (const auto &[name, member] : value.items()) {
      const bool listed = schema.contains("properties") && schema.at("properties").contains(name);
      Errors more;
      if (keyword == "properties" && listed)
        more = check(rule.at(name), member, at + "/" + name);
      else if (keyword == "additionalProperties" && !listed && rule.is_boolean() && !rule.get<bool>())
        more = {at + ": " + name + " is not in the schema"};
      else if (keyword == "additionalProperties" && !listed && rule.is_object())
        more = check(rule, member, at + "/" + name);
      errors.insert(errors.end(), more.begin(), more.end());
    }
    return errors;
  }

  Errors check_array(const std::string &keyword, const Json &rule, const Json &schema, const Json &value,
                     const std::string &at) const {
    if (keyword == "minItems" && value.size() < rule.get<std::size_t>())
      return {at + ": too few items"};
    if (keyword == "maxItems" && value.size() > rule.get<std::size_t>())
      return {at + ": too many items"};
    Errors errors;
    const std::size_t prefix = schema.contains("prefixItems") ? schema.at("prefixItems").size() : 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
      Errors more;
      if (keyword == "prefixItems" && i < prefix)
        more = check(rule[i], value[i], at + "/" + std::to_string(i));
      else if (keyword == "items" && i >= prefix)
        more = check(rule, value[i], at + "/" + std::to_string(i));
      errors.insert(errors.end(), more.begin(), more.end());
    }
    return errors;
  }

  static Errors check_scalar(const std::string &keyword, const Json &rule, const Json &value,
                             const std::string &at) {
    bool good = false;
    if (keyword == "type")
      good = has_type(value, rule.get<std::string>());
    else if (keyword == "const")
      good = value == rule;
    else if (keyword == "enum")
      good = std::find(rule.begin(), rule.end(), value) != rule.end();
    else if (keyword == "minimum")
      good = !value.is_number() || value.get<double>() >= rule.get<double>();
    else if (keyword == "exclusiveMinimum")
      good = !value.is_number() || value.get<double>() > rule.get<double>();
    else if (keyword == "pattern")
      good =
          !value.is_string() ||
          llvm::Regex(llvm::StringRef(rule.get_ref<const std::string &>())).match(value.get<std::string>());
    else
      return {at + ": the checker does not know the keyword " + keyword};
    return good ? Errors{}
                : Errors{at + ": " + keyword + " " + rule.dump() + " does not fit " + value.dump()};
  }

  const Json &root_;
};

} // namespace

std::vector<std::string> schema_errors(const Json &schema, const Json &value) {
  return Checker(schema).check(schema, value, "");
}

} // namespace vprof::test
