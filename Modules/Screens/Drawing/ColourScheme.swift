public import Terminal

/// A scheme of colours for a dark or a light background.
public enum ColourScheme: Sendable, Equatable, CaseIterable {
  case dark, light

  /// Creates the scheme for a terminal's background: dark, as on most terminals, if the background is
  /// unknown.
  public init(background: Colour) {
    // On a background of relative luminance 0.179, black and white text have the same contrast.
    self = (background.relativeLuminance ?? 0) > 0.179 ? .light : .dark
  }

  /// The background that is assumed if the terminal does not report one.
  var defaultBackground: Colour { self == .dark ? .rgb(0x10_13_17) : .rgb(0xff_ff_ff) }

  /// Returns the style of a role, before its contrast with the background is adjusted.
  func style(_ ink: TextRole) -> Style { self == .dark ? dark(ink) : light(ink) }

  private func dark(_ ink: TextRole) -> Style {
    switch ink {
    case .text: Style()
    case .strong: Style(.default, on: .default, .bold)
    case .dim: Style(.rgb(0x9a_a0_a8))
    case .faint, .disabled: Style(.rgb(0x78_7e_86))
    case .title, .dialogTitle: Style(.rgb(0xff_ff_ff), on: .rgb(0x1f_3a_5f), .bold)
    case .selected: Style(.rgb(0xff_ff_ff), on: .rgb(0x2b_45_66))
    case .selectedMark: Style(.rgb(0x7f_d4_ff), on: .rgb(0x2b_45_66), .bold)
    case .accent: Style(.rgb(0x6c_c4_ff))
    case .good: Style(.rgb(0x84_d0_84))
    case .warning: Style(.rgb(0xff_c8_57))
    case .error: Style(.rgb(0xff_7b_72), on: .default, .bold)
    case .bar: Style(.rgb(0x3f_a7_f5))
    case .barEmpty: Style(.rgb(0x62_68_70))
    case .key: Style(.rgb(0xff_c8_57), on: .default, .bold)
    case .button: Style(.rgb(0xff_ff_ff), on: .rgb(0x3a_40_48))
    case .chosenButton: Style(.rgb(0x10_10_10), on: .rgb(0xff_c8_57), .bold)
    case .placeholder: Style(.rgb(0xa8_ae_b6), on: .rgb(0x3a_3d_42))
    case .shade: Style(.rgb(0x9a_a0_a8), on: .rgb(0x1a_1e_24))
    case .field: Style(.rgb(0xff_ff_ff), on: .rgb(0x15_1a_20), .underline)
    case .dialog: Style(.rgb(0xe6_e8_eb), on: .rgb(0x26_2b_33))
    }
  }

  private func light(_ ink: TextRole) -> Style {
    switch ink {
    case .text: Style()
    case .strong: Style(.default, on: .default, .bold)
    case .dim: Style(.rgb(0x4f_56_5e))
    case .faint, .disabled: Style(.rgb(0x6c_73_7b))
    case .title, .dialogTitle: Style(.rgb(0x0c_20_38), on: .rgb(0xbf_d6_f0), .bold)
    case .selected: Style(.rgb(0x10_18_20), on: .rgb(0xd6_e5_f6))
    case .selectedMark: Style(.rgb(0x0a_5c_a8), on: .rgb(0xd6_e5_f6), .bold)
    case .accent: Style(.rgb(0x0a_5c_a8))
    case .good: Style(.rgb(0x1b_6e_2a))
    case .warning: Style(.rgb(0x8a_55_00))
    case .error: Style(.rgb(0xb3_26_1e), on: .default, .bold)
    case .bar: Style(.rgb(0x1a_70_b8))
    case .barEmpty: Style(.rgb(0x8e_95_9d))
    case .key: Style(.rgb(0x8a_55_00), on: .default, .bold)
    case .button: Style(.rgb(0x10_18_20), on: .rgb(0xcf_d5_dc))
    case .chosenButton: Style(.rgb(0x10_10_10), on: .rgb(0xff_c8_57), .bold)
    case .placeholder: Style(.rgb(0x4f_56_5e), on: .rgb(0xdf_e2_e6))
    case .shade: Style(.rgb(0x4f_56_5e), on: .rgb(0xec_ee_f0))
    case .field: Style(.rgb(0x10_18_20), on: .rgb(0xff_ff_ff), .underline)
    case .dialog: Style(.rgb(0x1a_1f_26), on: .rgb(0xe8_ec_f1))
    }
  }
}
