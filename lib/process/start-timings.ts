/** Durations of the phases of a start, for `--timings`. @param isOn whether the command line has `--timings` */
export function createStartTimings(isOn = process.argv.includes('--timings')) {
  const phases: { readonly phase: string; readonly endMs: number; readonly cpuMs: number }[] = []
  return {
    /** The phase that ends now. */
    end(phase: string) {
      const { user, system } = process.cpuUsage()
      phases.push({ phase, endMs: performance.now(), cpuMs: (user + system) / 1000 })
    },
    /** Text for the person who started the process; empty unless they asked for it. */
    text(): string {
      if (!isOn) return ''
      const lines = phases.map(({ phase, endMs, cpuMs }, at) => {
        const before = phases[at - 1] ?? { endMs: 0, cpuMs: 0 }
        return `  ${phase.padEnd(24)} ${ms(endMs - before.endMs)}   CPU ${ms(cpuMs - before.cpuMs)}`
      })
      return `Time of the start:\n${lines.join('\n')}\n  in all                   ${ms(phases.at(-1)?.endMs ?? 0)}\n`
    },
  }
}

function ms(value: number): string {
  return `${value.toFixed(0).padStart(6)} ms`
}
