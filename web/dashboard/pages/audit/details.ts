import { html, type Markup } from '../../../../lib/html.ts'
import type { AuditDetail } from '../../../../db/people/audit.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { moment, number } from '../../ui/components.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const AUDIT = textsOf('dashboard-audit')
const COMMON = textsOf('dashboard-common')

type Value = AuditDetail[string]

interface Change {
  /** Empty if the action itself names the changed value. */
  readonly name: string
  readonly before: Value
  readonly after: Value
}

/** Values that were changed, from what to what, and what else was noted. */
function readDetail(detail: AuditDetail): { readonly changes: readonly Change[]; readonly notes: AuditDetail } {
  const names = new Set<string>()
  const notes: Record<string, Value> = {}
  for (const [name, value] of Object.entries(detail)) {
    const changed = /^(?:(.*)\.)?(?:before|after)$/.exec(name)
    const prefix = changed?.[1] === undefined ? '' : `${changed[1]}.`
    // Entries of former versions have only `before`.
    const isWhole = Object.hasOwn(detail, `${prefix}before`) && Object.hasOwn(detail, `${prefix}after`)
    if (changed && isWhole) names.add(changed[1] ?? '')
    else notes[name] = value
  }
  const changes = [...names].map((name) => {
    const prefix = name === '' ? '' : `${name}.`
    return { name, before: detail[`${prefix}before`] ?? null, after: detail[`${prefix}after`] ?? null }
  })
  return { changes, notes }
}

/** The detail as text, with bots by name if they still exist. @param withNotes whether to add more than the changes. */
export async function detailMarkup(request: ProjectRequest, detail: AuditDetail, withNotes = true): Promise<Markup> {
  const { context, project, language } = request
  const w = AUDIT[language].details
  const { changes, notes } = readDetail(detail)
  const show = (value: Value) => (typeof value === 'number' ? number(language, value) : String(value ?? '–'))
  const bots = Object.hasOwn(notes, 'bot') ? await context.bots.list(project.id) : []
  const noteText = (name: string, value: Value) => {
    if (name === 'bot') return bots.find(({ id }) => id === value)?.name ?? show(value)
    if (name === 'expires' && value === 'never') return COMMON[language].never
    // Entries of former versions say a number of days.
    const isMoment = name === 'expires' && /^\d{4}-/.test(String(value))
    return isMoment ? moment(request, Date.parse(String(value))) : show(value)
  }
  const parts = [
    ...changes.map(
      ({ name, before, after }) =>
        html`<span class="change"
          >${name !== '' && html`<small>${entryOf(w, name) ?? name}</small> `}<del>${show(before)}</del> →
          <ins>${show(after)}</ins></span
        >`,
    ),
    ...Object.entries(notes)
      .filter(([, value]) => withNotes && value !== null)
      .map(
        ([name, value]) =>
          html`<span class="change"><small>${entryOf(w, name) ?? name}</small> ${noteText(name, value)}</span>`,
      ),
  ]
  return html`${parts}`
}

/** The detail as plain text: `volume: 80 → 45, bot: Horn`. */
export function detailText(detail: AuditDetail): string {
  const { changes, notes } = readDetail(detail)
  return [
    ...changes.map(({ name, before, after }) => `${name === '' ? '' : `${name}: `}${before ?? ''} → ${after ?? ''}`),
    ...Object.entries(notes).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])),
  ].join(', ')
}
