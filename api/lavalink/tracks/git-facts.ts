import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { InfoObject } from '../protocol/info.ts'
import { ROOT } from '../../../lib/installation.ts'

type GitFacts = InfoObject['git']

/** Lavalink's answer where it was built without a repository. */
const UNKNOWN: GitFacts = { branch: 'unknown', commit: 'unknown', commitTime: 0 }

const TIMEOUT_MS = 5000

/** Branch and commit of this checkout; `unknown` without git or a repository. Runs git on the first call. */
export function createGitFacts(root = ROOT): () => Promise<GitFacts> {
  let facts: Promise<GitFacts> | null = null
  return () => (facts ??= readGitFacts(root))
}

async function readGitFacts(root: string): Promise<GitFacts> {
  // A repository that only surrounds the folder is another project's.
  if (!existsSync(`${root}/.git`)) return UNKNOWN
  const args = ['-C', root, 'log', '-1', '--format=%h %ct %D']
  const answer = await promisify(execFile)('git', args, { timeout: TIMEOUT_MS }).catch(() => ({ stdout: '' }))
  return toGitFacts(answer.stdout) ?? UNKNOWN
}

function toGitFacts(answer: string): GitFacts | null {
  const [, commit, seconds, names] = /^(\w+) (\d+) (.*)$/m.exec(answer) ?? []
  if (commit === undefined) return null
  const [, branch = 'HEAD'] = /^HEAD -> ([^,]+)/.exec(names ?? '') ?? []
  return { branch, commit, commitTime: Number(seconds) * 1000 }
}
