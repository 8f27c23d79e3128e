/** The projects of test APIs. Their IDs look as real ones do, since services check those that others tell them. */
export const projects = {
  one: `prj_${'1'.repeat(20)}`,
  two: `prj_${'2'.repeat(20)}`,
  small: `prj_${'3'.repeat(20)}`,
} as const
