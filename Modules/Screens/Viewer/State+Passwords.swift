import Models

/// Encrypted files: when a password is asked for, and how long it is kept.
extension State {
  /// Opens the viewer; asks first where the file takes a password.
  /// - Parameter resource: the one to be looked at; nil while it is not known.
  mutating func open(
    _ target: ViewerTarget, _ resource: Resource?, _ effects: inout [Effect]
  ) {
    guard let resource, pictures.takesPassword(resource) else {
      return openViewer(target, &effects)
    }
    var target = target
    // Resources may come before it while the password is typed.
    target.wantedID = resource.id
    dialog = .password(PasswordDialog(resource, of: target.record, opening: target))
  }

  /// Asks for the password of what the viewer shows.
  mutating func askForPassword() {
    guard let viewer, let resource = viewer.current, pictures.takesPassword(resource) else {
      return
    }
    dialog = .password(PasswordDialog(resource, of: viewer.record, opening: nil))
  }

  mutating func act(
    on part: PasswordDialog.Part, of dialog: PasswordDialog, _ effects: inout [Effect]
  ) {
    switch part {
    case .field: break
    case .confirm:
      var asking = dialog
      let request = asking.submit()
      self.dialog = .password(asking)
      guard let request else { return }
      if let document = dialog.document { pictures.protect(document) }
      effects.append(.unlock(request))
    case .rest:
      self.dialog = nil
      if let target = dialog.target { openViewer(target, &effects) }
    case .cancel: self.dialog = nil
    }
  }

  mutating func receive(
    _ request: UnlockRequest, _ answer: UnlockAnswer, _ effects: inout [Effect]
  ) {
    // The text numbers the resource within its record, which may not be the one that is shown by now.
    if case .failed(let text) = answer {
      tell("\(request.title), \(text)", isError: true, isOfScreen: true)
    }
    // Whoever cancelled does not wait for it any more.
    guard case .password(var asking) = dialog, asking.pending == request else { return }
    switch answer {
    case .unlocked:
      dialog = nil
      enter(asking, with: request.password, &effects)
    case .wrongPassword:
      asking.refuse()
      dialog = .password(asking)
    case .failed: dialog = nil
    }
  }

  private mutating func enter(
    _ asked: PasswordDialog, with password: DocumentPassword, _ effects: inout [Effect]
  ) {
    pictures.unlock(asked.resource)
    resources?.window.invalidate()
    details?.window.invalidate()
    if let target = asked.target {
      openViewer(target, &effects)
    } else {
      viewer?.window.invalidate()
    }
    if asked.document != nil { pictures.enter(password, for: asked.resource) }
  }
}
