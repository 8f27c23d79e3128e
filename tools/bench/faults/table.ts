import type { Outcome } from './run.ts'

/** The outcomes as a table in Markdown. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ experiment: { number, title, passes }, result, seen, seconds }) =>
    [number, title, passes, seen, result, seconds.toFixed(0)].map(escape),
  )
  const head = ['#', 'What was done', 'Passes when', 'What was seen', 'Result', 's']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Escapes text, which must not end a cell early or become markup. */
function escape(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'))
}
