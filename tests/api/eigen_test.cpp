// The Eigen adapter: row-major matrices are viewed, others are copied, and both give the same contacts.
#include <graze/eigen.hpp>

#include <graze/detector.hpp>
#include <graze/scene.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace graze {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using RowMajorIds = Eigen::Matrix<std::uint32_t, Eigen::Dynamic, 3, Eigen::RowMajor>;

// Two triangles of which the second passes through the first.
RowMajor start() {
  RowMajor x(6, 3);
  x << 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 2, 1, 1, 1, 2, 2;
  return x;
}
RowMajor end() {
  RowMajor x = start();
  x.bottomRows(3).col(2).array() -= 4.0;
  return x;
}

TEST(Eigen, ViewsPackedRowMajorMatricesWithoutACopy) {
  const RowMajor x = start();
  const EigenPositions positions(x);
  EXPECT_FALSE(positions.is_copy());
  EXPECT_EQ(static_cast<const void*>(positions.span().data()), static_cast<const void*>(x.data()));
  EXPECT_EQ(positions.span()[4], (Vec3{2, 1, 1}));
  RowMajorIds f(1, 3);
  f << 0, 1, 2;
  EXPECT_FALSE(EigenTriangles(f).is_copy());
}

TEST(Eigen, CopiesColumnMajorMatricesAndBlocksWithGaps) {
  const Eigen::MatrixXd x = start();
  const EigenPositions positions(x);
  EXPECT_TRUE(positions.is_copy());
  EXPECT_EQ(positions.span().size(), 6U);
  EXPECT_EQ(positions.span()[5], (Vec3{1, 2, 2}));
  Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor> wide(6, 4);
  wide.leftCols(3) = start();
  const EigenPositions gaps(wide.leftCols(3));
  EXPECT_TRUE(gaps.is_copy());
  EXPECT_EQ(gaps.span()[4], (Vec3{2, 1, 1}));
}

TEST(Eigen, FindsTheSameContactsFromBothLayouts) {
  Eigen::MatrixXi f(2, 3);
  f << 0, 1, 2, 3, 4, 5;
  Scene scene;
  scene.add_body({.positions = EigenPositions(start()), .triangles = EigenTriangles(f)});
  Detector detector(scene);
  const RowMajor x_t0 = start();
  const RowMajor x_t1 = end();
  const Eigen::MatrixXd column_t0 = x_t0;
  const Eigen::MatrixXd column_t1 = x_t1;
  const Impacts rows = detector.impacts(EigenPositions(x_t0), EigenPositions(x_t1));
  const Impacts columns = detector.impacts(EigenPositions(column_t0), EigenPositions(column_t1));
  EXPECT_EQ(rows.impacts.size(), 3U);  // each vertex of the second triangle passes through the first
  EXPECT_EQ(rows.toi_hash(), columns.toi_hash());
  EXPECT_EQ(as_matrix(scene.positions()), start());
}

TEST(Eigen, RefusesOtherShapesAndIdsThatAreNoVertex) {
  EXPECT_THROW(EigenPositions(Eigen::MatrixXd(4, 2)), InputError);
  Eigen::MatrixXi f(2, 3);
  f << 0, 1, 2, 3, -4, 5;
  try {
    const EigenTriangles triangles(f);
    FAIL() << "a negative id was taken";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "triangles: row 1 has the vertex id -4");
  }
  Eigen::Matrix<std::int64_t, Eigen::Dynamic, 3> large(1, 3);
  large << 0, 1, std::int64_t{1} << 32;
  EXPECT_THROW(EigenTriangles{large}, InputError);
}

}  // namespace
}  // namespace graze
