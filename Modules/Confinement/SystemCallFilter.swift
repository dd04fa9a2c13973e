import CSeccomp
import Glibc
import Rendering
import SystemCalls
import WorkerProcess

/// The system calls that are left (seccomp(2)): memory, threads, time, the socket to the program that
/// started us, reading what is open. No socket, no program, no process, no file by name; a PDF may
/// open files for reading, in the folders that Landlock leaves.
///
/// Whatever else a library tries is refused with EPERM, which it takes for a machine that does not
/// have it; `clone3` with ENOSYS, so that the C library falls back on `clone`, whose flags can be
/// looked at.
enum SystemCallFilter {
  static func enter(_ profile: SandboxProfile) throws(LayerProblem) {
    guard let filter = seccomp_init(imgdl_refuse(UInt16(EPERM))) else {
      throw LayerProblem(detail: "libseccomp has no memory")
    }
    defer { seccomp_release(filter) }
    guard imgdl_answer_trapped_calls() == 0 else {
      throw LayerProblem(detail: SystemError.last("handle SIGSYS").description)
    }
    // For all threads, if there are more than this one.
    try check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1))
    // Sorted as a tree instead of a list. Older versions do not have it.
    _ = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2)
    for rule in SystemCallRule.all(profile) { try add(rule, to: filter) }
    try check(seccomp_load(filter))
  }

  private static func add(
    _ rule: SystemCallRule, to filter: scmp_filter_ctx
  ) throws(LayerProblem) {
    let number = seccomp_syscall_resolve_name(rule.name)
    // Other processors have no such call.
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
    // A call that this processor does not have has a number below zero and no rule.
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
