extension Raster {
  /// Returns the image turned upright, in the given size.
  ///
  /// Resamples along one axis after the other: first the rows, then the rows of the transposed plane. The
  /// order of the weights does the mirroring, and a quarter turn omits the second transposition.
  /// - Parameters:
  ///   - size: The size of the upright image.
  ///   - keepsColours: Whether colour planes are as large as the luminance plane; otherwise they have half its size.
  public func scaled(
    to size: PixelSize, _ orientation: Orientation = .upright, keepsColours: Bool = false
  ) -> Raster {
    if orientation == .upright, size == PixelSize(width: planes[0].width, height: planes[0].height),
      size == PixelSize(width: width, height: height),
      layout != .yCbCr || hasColour(share: keepsColours ? 1 : 2)
    {
      return self
    }
    // The target size in the orientation of the stored image.
    let stored = orientation.swapsAxes ? size.transposed : size
    let scaled = planes.enumerated().map { index, plane in
      // In 4:2:0, two by two pixels share one colour sample.
      let share = index > 0 && !keepsColours ? 2 : 1
      return plane.scaled(
        width: (stored.width + share - 1) / share, height: (stored.height + share - 1) / share,
        coveredWidth: Double(stored.width) / Double(share),
        coveredHeight: Double(stored.height) / Double(share), orientation)
    }
    return Raster(layout: layout, planes: scaled)
  }

  private func hasColour(share: Int) -> Bool {
    planes.dropFirst().allSatisfy {
      $0.width == (width + share - 1) / share && $0.height == (height + share - 1) / share
        && $0.coveredWidth == Double(width) / Double(share)
        && $0.coveredHeight == Double(height) / Double(share)
    }
  }
}

extension Plane {
  fileprivate func scaled(
    width: Int, height: Int, coveredWidth: Double, coveredHeight: Double,
    _ orientation: Orientation
  ) -> Plane {
    let swaps = orientation.swapsAxes
    let rows = ResamplingAxis.cached(
      .init(
        sourceCount: coveredRows, outputCount: height, covered: coveredHeight,
        scale: self.coveredHeight / coveredHeight,
        isMirrored: swaps ? orientation.mirrorsColumns : orientation.mirrorsRows))
    let columns = ResamplingAxis.cached(
      .init(
        sourceCount: coveredColumns, outputCount: width, covered: coveredWidth,
        scale: self.coveredWidth / coveredWidth,
        isMirrored: swaps ? orientation.mirrorsRows : orientation.mirrorsColumns))
    let turned = resampled(rows, coveredHeight: coveredHeight).transposed()
      .resampled(columns, coveredHeight: coveredWidth)
    return swaps ? turned : turned.transposed()
  }
}
