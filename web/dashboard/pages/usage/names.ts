import { routes } from '../../../../api/routes/index.ts'
import type { UsagePart } from '../../../../db/projects/usage-totals.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { keyLabel } from '../../ui/components.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const USAGE = textsOf('dashboard-usage')

const ROUTES: ReadonlyMap<string, string> = new Map(routes.map(({ id, method, url }) => [id, `${method} ${url}`]))

export type Names = (part: UsagePart, name: string) => string

/** Names of classes, keys and routes; those of a former version by their id. */
export async function namesOf({ context, project, language }: ProjectRequest): Promise<Names> {
  const names = new Map((await context.keys.list(project.id)).map((key) => [key.id, keyLabel(key)]))
  return (part, name) => {
    if (part === 'route') return ROUTES.get(name) ?? name
    if (part === 'key') return names.get(name) ?? USAGE[language].goneKey
    return part === 'class' ? (entryOf(COMMON[language].classes, name) ?? name) : name
  }
}
