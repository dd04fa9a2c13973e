public import Rendering
import Synchronization

extension Raster {
  /// Returns the pixels of a sample of a dataset: scaled, cropped, or extended with white.
  ///
  /// The raster is not turned upright. Colour planes of the result are as large as the luminance plane; an
  /// image with transparency is drawn on white.
  public func sample(_ geometry: SampleGeometry) -> Raster {
    // Before the scaling, as a viewer draws the image: the negative lobes of a filter reach over the edges of
    // transparent areas.
    let planes = layout == .rgba(isOpaque: false) ? [planes[0].drawnOnWhite()] : planes
    let scaled = planes.map { plane in
      plane.scaled(
        to: PixelSize(width: geometry.scaledWidth, height: geometry.scaledHeight),
        from: planes[0], geometry.filter)
    }
    switch layout {
    case .grey:
      return Raster(layout: .grey, planes: [scaled[0].placed(geometry, filledWith: 255)])
    case .yCbCr:
      let planes = scaled.enumerated().map { index, plane in
        plane.placed(geometry, filledWith: index == 0 ? 255 : 128)
      }
      return Raster(layout: .yCbCr, planes: planes)
    case .rgba:
      return Raster(
        layout: .rgba(isOpaque: true), planes: [scaled[0].placed(geometry, filledWith: 255)])
    }
  }
}

extension Plane {
  /// - Parameters:
  ///   - size: The size of the scaled image in pixels.
  ///   - first: The plane with the resolution of the image.
  fileprivate func scaled(
    to size: PixelSize, from first: Plane, _ filter: SampleOptions.Filter
  ) -> Plane {
    let rows = SampleAxis(
      decodedCount: first.coveredHeight, planeCount: coveredRows,
      share: Int((first.coveredHeight / coveredHeight).rounded()), outputCount: size.height,
      filter: filter)
    let columns = SampleAxis(
      decodedCount: first.coveredWidth, planeCount: coveredColumns,
      share: Int((first.coveredWidth / coveredWidth).rounded()), outputCount: size.width,
      filter: filter)
    var plane = self
    if !rows.isIdentity || height != size.height {
      plane = plane.resampled(rows.cachedAxis(), coveredHeight: Double(size.height))
    }
    if !columns.isIdentity || width != size.width {
      plane = plane.transposed().resampled(columns.cachedAxis(), coveredHeight: Double(size.width))
        .transposed()
    }
    return plane
  }

  /// Blends pixels, whose colours are multiplied by alpha, with white.
  fileprivate func drawnOnWhite() -> Plane {
    var result = self
    result.bytes.withUnsafeMutableBufferPointer { bytes in
      for index in stride(from: 0, to: bytes.count - 3, by: 4) {
        let white = 255 &- bytes[index + 3]
        for component in index..<(index + 3) {
          bytes[component] = UInt8(clamping: Int(bytes[component]) + Int(white))
        }
        bytes[index + 3] = 255
      }
    }
    return result
  }

  /// Crops the plane to the middle, or extends it around the middle.
  fileprivate func placed(_ geometry: SampleGeometry, filledWith value: UInt8) -> Plane {
    guard geometry.width != width || geometry.height != height else { return self }
    // Halves are rounded down, for the first margin as for the first cropped row.
    let left = (geometry.width - width) / 2
    let top = (geometry.height - height) / 2
    let cropLeft = max(0, (width - geometry.width) / 2)
    let cropTop = max(0, (height - geometry.height) / 2)
    let (copiedWidth, copiedHeight) = (min(width, geometry.width), min(height, geometry.height))
    var bytes = [UInt8](repeating: value, count: geometry.width * geometry.height * pixelSize)
    for row in 0..<copiedHeight {
      let source = ((row + cropTop) * width + cropLeft) * pixelSize
      let target = ((row + max(0, top)) * geometry.width + max(0, left)) * pixelSize
      bytes.replaceSubrange(
        target..<(target + copiedWidth * pixelSize),
        with: self.bytes[source..<(source + copiedWidth * pixelSize)])
    }
    return Plane(
      width: geometry.width, height: geometry.height, pixelSize: pixelSize, bytes: bytes)
  }
}

extension SampleAxis {
  /// Whether each output row is the row of the plane.
  fileprivate var isIdentity: Bool {
    share == 1 && planeCount == outputCount && decodedCount == Double(outputCount)
  }

  private static let cacheLimit = 256
  private static let cache = Mutex<[SampleAxis: ResamplingAxis]>([:])

  /// Returns the axis, which is computed once for images of the same size.
  fileprivate func cachedAxis() -> ResamplingAxis {
    Self.cache.withLock { cache in
      if let axis = cache[self] { return axis }
      let axis = axis()
      if cache.count >= Self.cacheLimit { cache.removeAll(keepingCapacity: true) }
      cache[self] = axis
      return axis
    }
  }
}
