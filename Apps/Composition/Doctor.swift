import ArchiveMessages
import MarkupMessages
public import Models
import RenderMessages
import Rendering
import SystemCalls
import Threading
import Wiring
import WorkerProcess

/// A report on this machine: its libraries, adapters and helper programs, and what is missing.
public struct DoctorReport: Sendable, Equatable, Encodable {
  /// A port with its known adapters, the chosen adapter, and the settings layer that chose it.
  public struct PortChoice: Sendable, Equatable, Encodable {
    public let port: String
    public let known: [String]
    public let chosen: String
    public let why: String
  }

  public struct HelperState: Sendable, Equatable, Encodable {
    public let name: String
    public let path: String?
    public let problem: String?
  }

  public struct Finding: Sendable, Equatable, Encodable {
    public let problem: String
    /// The command or setting that solves the problem; nil if none is known.
    public let remedy: String?
  }

  public var libraries: [LibraryVersion] = []
  public var ports: [PortChoice] = []
  public var helpers: [HelperState] = []
  public var layers: [LayerState] = []
  public var findings: [Finding] = []
  /// The problems of the library's database.
  public var databaseProblems: [String] = []
}

public enum Doctor {
  /// Examines the machine. Runs the worker programs, to list their libraries and to test their sandboxes.
  public static func examine(_ loaded: LoadedSettings) async -> DoctorReport {
    var report = DoctorReport()
    report.libraries = Adapters.plugins.flatMap { $0.libraries }
    report.ports = ports(loaded)
    await checkHelpers(loaded, &report)
    for port in report.ports where !port.known.contains(port.chosen) {
      report.findings.append(
        DoctorReport.Finding(
          problem: "adapters.\(port.port) = \"\(port.chosen)\" is not known",
          remedy: "choose one of: \(port.known.joined(separator: ", "))"))
    }
    checkFiles(&report)
    return report
  }

  private static func ports(_ loaded: LoadedSettings) -> [DoctorReport.PortChoice] {
    let catalogue = Adapters.catalogue(loaded.settings, spoolFolder: "/")
    let choices = Adapters.choices(loaded.settings)
    return catalogue.ports.map { port in
      choice(port, known: catalogue.names(for: port), chosen: choices[port] ?? "", loaded)
    }
  }

  private static func choice(
    _ port: String, known: [String], chosen: String, _ loaded: LoadedSettings
  ) -> DoctorReport.PortChoice {
    DoctorReport.PortChoice(
      port: port, known: known, chosen: chosen,
      why: loaded.origin(of: "adapters.\(port)").description)
  }

  private static func checkHelpers(
    _ loaded: LoadedSettings, _ report: inout DoctorReport
  ) async {
    let workers = [RenderProgram.name, UnpackProgram.name, MarkupProgram.name]
    for name in workers + ["imgdl-urlsession", "imgdl-origin"] {
      do throws(WorkerError) {
        let path = try HelperLocator().path(of: name)
        report.helpers.append(DoctorReport.HelperState(name: name, path: path, problem: nil))
        var workers: [String] = []
        if name == UnpackProgram.name { workers = [UnpackProgram.worker] }
        if name == MarkupProgram.name { workers = [MarkupProgram.worker] }
        if name == RenderProgram.name {
          let decoders = await decoders(path, &report)
          report.ports.append(
            choice(
              "decoder", known: decoders.choices, chosen: loaded.settings.adapters.decoder, loaded))
          workers = decoders.decoders.map(\.name)
        }
        if !workers.isEmpty {
          await addLibraries(path, &report)
          await probeLayers(path, workers, &report)
        }
      } catch {
        report.helpers.append(
          DoctorReport.HelperState(name: name, path: nil, problem: error.description))
        report.findings.append(
          DoctorReport.Finding(
            problem: "the helper program \(name) is missing",
            remedy: HelperRemedy(program: Machine.executablePath).text(for: name)))
      }
    }
  }

  /// Returns the decoders of `imgdl-render`, which only that program can list.
  private static func decoders(_ path: String, _ report: inout DoctorReport) async -> DecoderList {
    do {
      return try await Adapters.decoderList(ofProgramAt: path)
    } catch {
      report.findings.append(DoctorReport.Finding(problem: "\(error)", remedy: nil))
      return DecoderList([])
    }
  }

  /// Adds the libraries of a worker program, which only that program loads and can list.
  private static func addLibraries(_ path: String, _ report: inout DoctorReport) async {
    do {
      let output = try await BlockingThread.run("doctor") {
        try ProgramOutput.read(from: path, WorkerArguments.libraries.list)
      }
      for library in output.split(separator: "\n").compactMap(LibraryReport.library) {
        report.libraries.append(library)
        guard let problem = library.problem else { continue }
        report.findings.append(
          DoctorReport.Finding(problem: problem, remedy: library.package.map(install)))
      }
    } catch {
      report.findings.append(DoctorReport.Finding(problem: "\(error)", remedy: nil))
    }
  }

  /// Adds findings about missing files that are needed only for some images and servers.
  private static func checkFiles(_ report: inout DoctorReport) {
    for (path, problem, package) in [
      ("/etc/ssl/certs/ca-certificates.crt", "no CA certificates for https", "ca-certificates"),
      (
        "/usr/share/poppler/cidToUnicode",
        "no poppler-data: PDF pages in Chinese, Japanese and Korean may stay empty",
        "poppler-data"
      ),
    ] where !FileSystem.exists(path) {
      report.findings.append(DoctorReport.Finding(problem: problem, remedy: install(package)))
    }
    if !LibraryOpener.hasFonts {
      report.findings.append(
        DoctorReport.Finding(
          problem:
            "no fonts: labels of contact sheets, and text in PDF pages without fonts of their "
            + "own, stay empty",
          remedy: install(Fonts.package)))
    }
  }

  private static func install(_ package: String) -> String { "apt-get install \(package)" }
}
