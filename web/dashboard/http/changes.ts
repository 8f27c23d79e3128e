import type { AuditDetail } from '../../../db/people/audit.ts'

type Values = Readonly<Record<string, string | number | boolean | null>>

/** Changed values, as the audit log shows them: `name.before` and `name.after`. No secrets. */
export function changesBetween(before: Values, after: Values): AuditDetail {
  const changes = Object.entries(after).filter(([name, value]) => value !== before[name])
  return Object.fromEntries(
    changes.flatMap(([name, value]) => [
      [`${name}.before`, before[name] ?? null],
      [`${name}.after`, value],
    ]),
  )
}
