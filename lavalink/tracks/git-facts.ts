import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { InfoObject } from '../protocol/info.ts'

type GitFacts = InfoObject['git']

/** Lavalink's answer where it was built without a repository. */
const UNKNOWN: GitFacts = { branch: 'unknown', commit: 'unknown', commitTime: 0 }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TIMEOUT_MS = 5000

/** What this copy of the project was checked out as; `unknown` until git has answered, and without git or a repository. */
export function readGitFacts(root = ROOT): () => GitFacts {
  let facts = UNKNOWN
  // A repository that only surrounds the folder is another project's.
  if (existsSync(`${root}/.git`)) {
    const args = ['-C', root, 'log', '-1', '--format=%h %ct %D']
    execFile('git', args, { timeout: TIMEOUT_MS }, (error, answer) => {
      if (!error) facts = toGitFacts(answer) ?? facts
    })
  }
  return () => facts
}

function toGitFacts(answer: string): GitFacts | null {
  const [, commit, seconds, names] = /^(\w+) (\d+) (.*)$/m.exec(answer) ?? []
  if (commit === undefined) return null
  const [, branch = 'HEAD'] = /^HEAD -> ([^,]+)/.exec(names ?? '') ?? []
  return { branch, commit, commitTime: Number(seconds) * 1000 }
}
