/** Texts that break what is written carelessly: parsers of numbers, prototypes, paths, controls, statements. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%',
  '\u0000',
  '\ufeff',
  "' OR 1=1 --",
  '\r\nX: y',
  'http://127.0.0.1/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'x'.repeat(20_000),
]

/** Names that expressions of more than linear cost take seconds for, each as long as a token can hold. */
export const HOSTILE_NAMES: readonly string[] = [
  '\t'.repeat(12_000),
  `${'\t'.repeat(12_000)}ft`,
  `a${'\u2028'.repeat(3900)}b - c`,
  '([{【「'.repeat(1300),
  ' - '.repeat(4000),
  'ft. '.repeat(3000),
  'official'.repeat(1500),
  `a${'\u0301'.repeat(5900)}`,
  // A single character that becomes eighteen under NFKC.
  '\ufdfa'.repeat(3900),
]
