import Origin

@main enum Main {
  static func main() { OriginProgram.main() }
}
