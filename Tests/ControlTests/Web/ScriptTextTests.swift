import Testing

@testable import Control

@Suite("Scripts as they are served") struct ScriptTextTests {
  @Test("Lines of comments become empty, and all others stay")
  func comments() {
    let source = """
      // A script.
      import { a } from './b.js'; // not alone

      /** One line. */
      const x = '//';
      /**
       * Several lines.
         // of them
       */
        // indented
      const y = /\\/**/.test(x);
        /** At the end. */
      """
    let served = """

      import { a } from './b.js'; // not alone


      const x = '//';





      const y = /\\/**/.test(x);

      """
    let result = ScriptText.withoutComments(Array(source.utf8))
    #expect(String(decoding: result, as: UTF8.self) == served)
  }
}
