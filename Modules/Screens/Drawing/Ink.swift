public import Terminal

/// What text and shapes mean; how that looks is said here and nowhere else.
///
/// Every ink can be told from its neighbours without colour, too: by its text, its place, or an
/// attribute.
public enum Ink: Sendable, Hashable {
  case text, strong, dim, faint
  case title
  case selected, selectedMark
  case accent, good, warning, error
  case bar, barEmpty
  case key, disabled, button, chosenButton
  /// Where a picture is going to be.
  case placeholder
  /// Where one is that has stepped back.
  case shade
  case field, dialog, dialogTitle

  public var style: Style {
    switch self {
    case .text: Style()
    case .strong: Style(.default, on: .default, .bold)
    case .dim: Style(.rgb(0x9a_a0_a8))
    case .faint: Style(.rgb(0x5c_62_6a), on: .default, .dim)
    case .title: Style(.rgb(0xff_ff_ff), on: .rgb(0x1f_3a_5f), .bold)
    case .selected: Style(.rgb(0xff_ff_ff), on: .rgb(0x2b_45_66))
    case .selectedMark: Style(.rgb(0x7f_d4_ff), on: .rgb(0x2b_45_66), .bold)
    case .accent: Style(.rgb(0x6c_c4_ff))
    case .good: Style(.rgb(0x84_d0_84))
    case .warning: Style(.rgb(0xff_c8_57))
    case .error: Style(.rgb(0xff_7b_72), on: .default, .bold)
    case .bar: Style(.rgb(0x3f_a7_f5), on: .rgb(0x2a_2e_34))
    case .barEmpty: Style(.rgb(0x4a_50_58), on: .rgb(0x2a_2e_34))
    case .key: Style(.rgb(0xff_c8_57), on: .default, .bold)
    case .disabled: Style(.rgb(0x5c_62_6a), on: .default, .dim)
    case .button: Style(.rgb(0xff_ff_ff), on: .rgb(0x3a_40_48))
    case .chosenButton: Style(.rgb(0x10_10_10), on: .rgb(0xff_c8_57), .bold)
    case .placeholder: Style(.rgb(0x8a_90_98), on: .rgb(0x3a_3d_42))
    case .shade: Style(.default, on: .rgb(0x1a_1e_24))
    case .field: Style(.rgb(0xff_ff_ff), on: .rgb(0x15_1a_20), .underline)
    case .dialog: Style(.rgb(0xe6_e8_eb), on: .rgb(0x26_2b_33))
    case .dialogTitle: Style(.rgb(0xff_ff_ff), on: .rgb(0x1f_3a_5f), .bold)
    }
  }
}
