import Foundation
import Models
import Rendering
import TestSupport
import Testing

/// Files that hold a picture in several sizes, of which the decoder takes one that is large enough.
@Suite("Pyramids") struct PyramidTests {
  /// 1,024 × 1,024 pixels with five resolutions, as libvips 8.14 and OpenJPEG 2.5 write them: grey, with
  /// upright stripes of eight pixels in a square of 128 in the middle.
  private static let jpeg2000 = """
    AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAEAAAABAAAAQcHAAAAAAAPY2
    9scgEAAAAAABEAAA2yanAyY/9P/1EAKQAAAAAEAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAAAAQcBAf9SAAwA
    AAABAAQEBAAB/1wAEEBASEhQSEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5
    AACgAAAAANNAAB/5PPtt4UAFyv/3c8cAACG57e+aMVBRSIBAMFwLwRIAhJmPgkVYAAIiEK2UAAEQB/RrDBJHGVcVYy
    yWmkhwz7KbLB66F3nZ2gN0igAAAAAAAwkJf/IakyWmkhq5yFq0gAAAAAAAAAOBQAP84QgAOEKgpAHlj3PpieB8YQxO
    chaDFgAAAAAAAwkJf/Iak0Cfi3NLhQgwA8AH+fUojVK4UgDy7CnJiKLwXMxQn/VhKVmgAABaTgyhTvQJ9CYhF5YAKy
    54v0wD/20PZJQBWkkCwOwJ0eqcEHSLoVn4PqEHo1FQB48D/PwWYfUVw+0tDwjZmP75+sSZiE6nolRWe0TUb3B5rkwa
    7oqaoEVJKT4bw0DSat7znWjf0Vuz9pisZd4ED8yQgRog1OKCm3PgxrrHwMXgcIGkYzLe3mS97F4yrUpIUfQpnRb+3C
    4fDCGr0WvlNExLHIFmjAZa4KQpj8vkaRPXEQHJVTqx9dQC21zqrE1C/twdKdlL5gGREgJ0gpgrbHYlVkWbTMAe0fJB
    YC55T7hm/lMLhO9QPoVA/LnT/n8En+CL/BQ/gnY/aM/tGv2jP7RnD9ov9aMftF/zRg+EZKe0AzWguKRwURFZuMCmfj
    nlI/3L8YaADZAGQFMpohCvEgRVhW6tkkUI8+lD1Frdkr2YSqx4WF+nFbdlLWzh8I9PPNw4bDX/gFinsp7QLcpdpmz3
    6ptBO5sEAAAMJCXsUEtDK8YC3ocNiOtZos42324+7r5x8OVPHAFhO9wzfN84rLnN/tLGI3l5eu76XQLEXn0oWgnJOe
    xALhNWdhSVABmAfGWfor13hnS909/HWXl73KGBlaVSympotbr9xgG0tDxAGObfN83tVF6tutmTxtHOG6+b+lcd184D
    lnEULiBabXbPx93N7Cs8Ju/mAABhHw2aszaiQANlUkvh+IKW4MSCuqiyXsQGK27IwKwMr9Uweq7YbEGVSrbr/V9pw4
    Kah5jRV+6+b+iBZD9+eAwyxr9W9xRf4F3mVLjuVX09o+MaQMB/boAMMsa/QXdEDwkvXj+gp0P5/h7QGEoh8/ypbtsf
    BpQFNyHuY0YMSFmoZHQSVnLQaNX66e0LZ0M6N/qR5Jec0MQYa8lMWMUI6PpL/353XWGx5Y2I4xBiEEhMBYMMTwJ0Ov
    8vbn9axlEBoscZaJnFOild+ivhQ5E/Sqf8qWPmUMo00CtHR66ZSngktmcf418WCbrpvr9mV5SWJTO6jqi6Uqj79yQE
    CC6Urf5E/wsr/CxF/hZ/9hZAMif4FH+BSv8Cj/QKAZEP7Sr+0lX9pT/tJQAPagweHVFs7Gq4ciyJ8RX+9ufhDY18H2
    1ZDoU4BBuSz21Ws+D3s89sb5H1X7zBII6OAF/h7NEP15OsvL13K7zfN/SuO6+b89Q5/bG3JXcRC0+UJVc+dEjiNaBm
    /b+paHN+39DrsSYwNRXC/1zAQX6UMVt41yxyl5S8pp4xZS8peU7NSZS8peUr5dCY1RqBjUMahjUUOMxrGUvKc+L41j
    KXlOfF8axlLymUaEZhFutmRGHyiRTkHo65S8okU5B6OuUvKJFOQejrlLyn/1xcHh1RbOxquKeh8NUNqYzPI0FtSWiP
    C+7xTxuWtL4F2xvj7Kg8MtCf68S4xf4ezkh1Ctzlcd1/SuO6/QZ8yHZFhf650WnDkG9UlYSoK2nyLonUMzcWu7/Pwf
    WP8Bxsk2Qt9HAFY4+jrlLyVC11PS9GHyVC11PS9GHyU9nwK2+fEr0wR0zBMwTCzpj6OuUvJULXU9L0YfJULXU9L0Yf
    JUNbiAJOKPS9GHyWary+dL0YfJTVf/Qul6MPkpzlHx6Xow+Sofnl5a86lNr0JBeL98pKvZ5n7RBaWtEqZB13fi5wgE
    tIN8AK+bhVcUN6kqlCx/DpwSqgXWawfhW3Yjw4bDYg1MN1837f2jwj0epPtkX6JHC2zZoMR9ziCG1m1SZJoTxuS5HG
    87xYYGWNYyl5S8OG3lLyl5T3LDcpeUvKb/R9TgPkPMGteAxTSnSmM82vbq5o65S8pz4vjWMpeU58XxrGUvKb5/tw7V
    z/Vz/Uy1iUJEQ+jrlLyiRTkHo65S8okU5B6OuUvKJFOHuq2enk9PKQRHFyl/kF8AIhy/rD0OeaM7G1+BXk2bzJuFVi
    V6DQQPWKfgqe6/R39SX2aRIHgD8Poqwrc5XHdf0Y4BL4CChXeQY9DMAQS3EaSPukrCVBW0+QXV5igr7j42m4HxgjD5
    S8lQtdT0vRh8lQtdT0vRh8lQuRXWXTgOEJRGMsdcRqj3MM8mecaO3tHXJULXU9L0YfJULXU9L0YfJUJa265fXP8roB
    qNNK5lkYfKXkppPAcL0vRh8lNV/3C6Xow+SnOUaTrbPTyengi6JX/1f5EHdPQ2/J42PZZ8kQJzeKwJH1xp8tfzpRtN
    1bdtvPM8cVrHx88f9KSRB3T0NwMENaUhcG7e8yYLuTkoZoRY+qNoQI0ljTf7t2vIgSGPFTfipqx8RK/9lLHHk84+HI
    tjE57r6bYUttFHAUeJTJkv6CbwHF0Ao8+N3g02OBMRZ0g3em+5DAPcKbNqtZIe1XLS7GtFZIj3SZ2kNrguoG1Pf/V/
    kMCmXe83Ck6BRV365nFNY1SICQgmBiYvzgeCKRpwODjJgsru5twbH/SkkMCmXe83ClaZn17SJFnIxphNBx6PFswrAf
    6Yp09bDxBxxwjipqspnElwsdwNzAf/UP8UzPxLBmkTnKgox8lUA5PgKLvZwPomFgmcz94NLWD+kjGUlp3Y3+vxTr7D
    phNBx6PFsuoYf5ZLj2vVdQ0RQyfkSE/4aC/8LgV/w0I/+FygBkSEf7Sz/aVK/zST/zSMAMiQh/tGP9osr/aJ/3aJAA
    Dx484KCP9gxwH+45tklgDmbbAhn4pAsTehpLbOAAAOAUud3/jSSv1b2Nmo6EAFmJ6wR7GBuvm/pXHdfN/SuO6+b+lc
    d1839K47r5v6Vx3Xzf0rjuvm+7iM/3DmAAVos7r5v6Vx3Xzf0rjuvm/pXHdfN/SuO6+b+lcd1839K47r5v6Vx3XzgG
    EKp/9N83ziPDhsNiDUw3Xzf0rjuvm/pXHdfN/SuO6+b+lcd1839K47r5yStVBituv6Vx3Xzf0rjuvm/pXHdfN/SuO6
    +b+lcd1839K47r5v6Vx3XzgF5LCD8K3OVx3Xzf0rjuvm/pXHdfN/SuO6+b+lcd1839K47r5v6Vx3XzfxUc4KCQFgD/
    6gJ8HCaF8edZAND/olLFwEAJAJHf8kybdJckXTYXhEmFe7rL13K7zf0rjuv6Vx3X9K47r+lcd1/SuO6+6BI5LACyFW
    eOiANQ9Ct1LQYVuoaEit03QoVun6Git07RAVulrCFbpawhW6Og1pZeXkytw3YAegYrdT0DFbqegYrdT0DFbqegYrdT
    0DFbrJGok6y8vLy8vLy8vLy8vLy8vLy8vLy8vLy8vLy8vLy8vL2cCmnuvm+b5vm+b5vm+b5vm+b5vm+b5vm+b5vm+b
    5vm+b5vm+b5vm+b/f5PkexjZarI1a1OGzbOLou7YlBtfkBEEIat3eETsDD/88/8kgMlIAAAdjCsM1+Y1pcKgvCJMMg
    RVhW3X9K47r5v6Vx3Xzf0rjuvm/pXHdfN/SuO6+b9xcN1832OQ6gBW3X9K47r5v6Vx3Xzf0rjuvm/pXHdfN/SuO6+b
    +lcd1839K47r5vlkcABM2DQ4bDYg1MN1839K47r5v6Vx3Xzf0rjuvm/pXHdfN/SuO6+b2rLbdfOCn45sVt1/SuO6+b
    +lcd1839K47r5v6Vx3Xzf0rjuvm/pXHdfN/SuO6+cAu8mRa3X9K47r5v6Vx3Xzf0rjuvm/pXHdfN/SuO6+b+lcd183
    7f4fm+b7HzadFFscDURPy7pmYqMo9muq0iGCei+SZe0gxwf733sV+1pAJgHBfSpv+rGq/wAMsgBYGOOsvXcrvN/SuO
    6/pXHdf0rjuv6Vx3X7i4br5ZiH/3uuSsJ4K3QpjCt0KYwrdCmMK3QpjCt0KYwrdCmMK3QpjCtvCJASEcEEFbqegYrd
    T0DFbqegYrdT0DFbqegYrdT0DFbqegYrc5ComAry8vLy8vLy8vLy8vLy8vLy8vLy8vLy8vLy8vLy8vfQ4l7uvm+b5v
    m+b5vm+b5vm+b5vm+b5vm+b5vm+b5vm+b5vm+b5vm+b3Xwof8G/t/VXZf4NzGorwilVhs9kkTTqvgHYeeEkiRXMrlD
    L87uvnKBIr5vm/AP/wb+39Vdl+nTpbbwRnKppdPWCeb40mOe7DtRcyuSgnCg2GxHUINhq/ChqQz9v6q7L/BuY1FeEU
    qsNnskiadV8BDNHL0qdwTR1DIJsfAPqQz9v6q7L9OnS23giBPz8T3hWnTg1sySNk25J3B9zkAD8K+xkAYCP37vLRmK
    1OVvbftlpM2hAGW/8B2xkAYCP3+y6RmK1vvMn/I+0Etny/CvWwPqoP+AuHzv/kfcZFgqgb/wHVsD6qD/gLh+dk9zuN
    SsWF//2Q==
    """

  /// Pages of half the size each, down to 16 pixels: stripes of eight pixels of a picture of 512, as wide as they
  /// come out by averages.
  private static var tiff: [UInt8] {
    var pages: [(width: Int, height: Int, pixels: [UInt8])] = []
    for side in [512, 256, 128, 64, 32, 16] {
      let stripe = 8 * side / 512
      let row: [UInt8] = (0..<side).map { x in
        if stripe == 0 { return 128 }
        return x / stripe % 2 == 0 ? 0 : 255
      }
      pages.append((side, side, [UInt8](repeatElement(row, count: side).joined())))
    }
    return TestTIFF.pages(pages, areReduced: true)
  }

  @Test(
    "a picture of several resolutions is as sharp as one of a single size", arguments: [512, 256])
  func sharpness(_ side: Int) async throws {
    let jpeg2000 = try #require(
      Data(base64Encoded: Self.jpeg2000, options: .ignoreUnknownCharacters))
    for (format, file) in [(ResourceFormat.jpeg2000, Array(jpeg2000)), (.tiff, Self.tiff)] {
      let shown = try await Shown(file, side: side)
      #expect(shown.info.format == format && shown.pixels.width == side)
      // Two stripes of the widest.
      let tones = ((side / 2)..<(side / 2 + 16)).map { Int(shown.colour($0, side / 2)[0]) }
      let contrast = (tones.max() ?? 0) - (tones.min() ?? 0)
      #expect(contrast > 180, "\(format): \(tones)")
    }
  }

  @Test("a page of half the size is another picture, unless it is marked as a reduced version")
  func otherPage() async throws {
    let pages = [(128, UInt8(40)), (64, 220)].map { side, tone in
      (width: side, height: side, pixels: [UInt8](repeating: tone, count: side * side))
    }
    let own = try await Shown(TestTIFF.pages(pages), side: 50)
    #expect(own.colour(9, 9) == [40, 40, 40, 255])
    let reduced = try await Shown(TestTIFF.pages(pages, areReduced: true), side: 50)
    #expect(reduced.colour(9, 9) == [220, 220, 220, 255])
  }

  @Test("a picture smaller than wanted stays as it is, and so does the largest size")
  func whole() async throws {
    let shown = try await Shown(Self.tiff, side: 1_000)
    #expect((shown.pixels.width, shown.pixels.height) == (512, 512))
    for x in 0..<32 {
      let tone: UInt8 = x / 8 % 2 == 0 ? 0 : 255
      #expect(shown.colour(x, 9)[0] == tone)
    }
  }
}
