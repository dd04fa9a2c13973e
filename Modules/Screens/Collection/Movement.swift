extension CollectionView.Movement {
  init?(_ command: Command) {
    switch command {
    case .up: self = .up
    case .down: self = .down
    case .left: self = .left
    case .right: self = .right
    case .pageUp: self = .pageUp
    case .pageDown: self = .pageDown
    case .first: self = .first
    case .last: self = .last
    default: return nil
    }
  }
}
