import { SOURCE_FACTS, SOURCE_NAMES, type SourceName } from './settings.ts'

/** The source that a link belongs to, where it is one of those that people know, switched on or not. */
export function knownSource({ hostname }: URL): { readonly name: SourceName; readonly site: string } | null {
  const name = SOURCE_NAMES.find((it) => SOURCE_FACTS[it].hosts?.test(hostname))
  return name === undefined ? null : { name, site: SOURCE_FACTS[name].title }
}
