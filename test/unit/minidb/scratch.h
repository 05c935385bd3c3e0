#pragma once

#include "file.h"

#include <cstddef>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace minidb {

/// A scratch folder for one test.
class ScratchTest : public ::testing::Test {
protected:
  std::string contents(const std::string &name) const {
    std::ifstream file(folder_.file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  ScratchFolder folder_{::testing::TempDir()};
};

} // namespace minidb
