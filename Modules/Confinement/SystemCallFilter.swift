import CSeccomp
import Glibc
import Rendering
import SystemCalls
import WorkerProcess

/// Restricts the process to a list of system calls (seccomp(2)): memory, threads, time, the socket to the
/// program that started it, and reading of open descriptors. The process cannot create sockets or processes,
/// execute programs, or open files by name. A worker that reads fonts, for PDF or SVG, may open files for
/// reading in the folders that Landlock permits.
///
/// System calls that are not in the list fail with EPERM. `clone3` fails with ENOSYS, so that the C library
/// falls back on `clone`, whose flags a filter can examine.
enum SystemCallFilter {
  static func enter(_ profile: SandboxProfile) throws(LayerProblem) {
    guard let filter = seccomp_init(imgdl_refuse(UInt16(EPERM))) else {
      throw LayerProblem(detail: "libseccomp: out of memory")
    }
    defer { seccomp_release(filter) }
    guard imgdl_answer_trapped_calls() == 0 else {
      throw LayerProblem(detail: SystemError.last("handle SIGSYS").description)
    }
    // The filter applies to all threads of the process.
    try check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1))
    // Compiles the filter to a binary tree instead of a list. Older versions of libseccomp do not support it.
    _ = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2)
    for rule in SystemCallRule.all(profile) { try add(rule, to: filter) }
    try check(seccomp_load(filter))
  }

  private static func add(
    _ rule: SystemCallRule, to filter: scmp_filter_ctx
  ) throws(LayerProblem) {
    let number = seccomp_syscall_resolve_name(rule.name)
    // libseccomp does not know the call: the call is newer than libseccomp, or exists on no architecture.
    guard number != __NR_SCMP_ERROR else { return }
    let action =
      rule.refusal.map { imgdl_refuse(UInt16($0)) }
      ?? (rule.isTrapped ? imgdl_trap() : SCMP_ACT_ALLOW)
    let conditions = rule.conditions.map { condition in
      scmp_arg_cmp(
        arg: condition.argument, op: condition.comparison.operation, datum_a: condition.first,
        datum_b: condition.second)
    }
    let code = seccomp_rule_add_array(
      filter, action, number, UInt32(conditions.count), conditions)
    // A negative number stands for a call that this architecture does not have; no rule is needed for it.
    if number >= 0 { try check(code) }
  }

  private static func check(_ code: Int32) throws(LayerProblem) {
    guard code < 0 else { return }
    throw LayerProblem(detail: "seccomp: \(String(cString: strerror(-code)))")
  }
}

extension SystemCallRule.Condition {
  fileprivate var first: UInt64 {
    switch comparison {
    case .equals(let value), .atMost(let value): value
    case .bits(let mask, _): mask
    }
  }

  fileprivate var second: UInt64 {
    if case .bits(_, let value) = comparison { value } else { 0 }
  }
}

extension SystemCallRule.Comparison {
  fileprivate var operation: scmp_compare {
    switch self {
    case .equals: SCMP_CMP_EQ
    case .atMost: SCMP_CMP_LE
    case .bits: SCMP_CMP_MASKED_EQ
    }
  }
}
