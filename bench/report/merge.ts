import type { Report } from './report.ts'

/** One report of what was measured in parts, on one machine. Throws where they do not belong together. */
export function mergeReports(reports: readonly Report[]): Report {
  const [first, ...more] = reports
  if (first === undefined) throw new Error('There is nothing to merge.')
  return more.reduce(merged, first)
}

function merged(one: Report, other: Report): Report {
  if (one.bench !== other.bench) {
    throw new Error(`"${one.bench}" and "${other.bench}" are different benchmarks.`)
  }
  if (JSON.stringify(one.machine) !== JSON.stringify(other.machine)) {
    throw new Error('The reports are of different machines.')
  }
  const twice = one.sections.find(({ title }) => other.sections.some((its) => its.title === title))
  if (twice !== undefined) throw new Error(`"${twice.title}" was measured twice.`)
  return {
    ...one,
    date: one.date > other.date ? one.date : other.date,
    load: {
      // The busiest of all beginnings: who reads it wants to know whether others were at work.
      before: Math.max(one.load.before, other.load.before),
      after: other.load.after,
    },
    settings: mergedSettings(one.settings, other.settings),
    sections: [...one.sections, ...other.sections],
    notes: [...new Set([...one.notes, ...other.notes])],
  }
}

function mergedSettings(one: Report['settings'], other: Report['settings']): Report['settings'] {
  for (const [name, value] of Object.entries(other)) {
    const its = one[name]
    if (its !== undefined && its !== value) throw new Error(`The reports differ in "${name}".`)
  }
  return { ...one, ...other }
}
