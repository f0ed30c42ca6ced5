import type { Measurement, Task } from '../drivers/contract.ts'
import type { Metric } from '../report/report.ts'
import { Driver } from './driver.ts'
import { progress } from './progress.ts'
import { rotated } from './statistics.ts'

/** One line of measurements: the same task for everyone. */
export interface Point {
  readonly label: string
  readonly task: Task
}

/** A point and what is shown of it. */
export interface Measured {
  readonly point: Point
  readonly metrics: readonly Metric[]
}

/** Who is measured, and how its driver is started. */
export interface Entrant {
  readonly name: string
  readonly command: readonly string[]
}

/** By point and name, one measurement a round; none where a client cannot do the task. */
export type Measurements = ReadonlyMap<Point, ReadonlyMap<string, readonly Measurement[]>>

/**
 * Measures everyone at every point, in so many rounds. Within a round all take their turn at a point
 * before the next point comes, in an order that moves on: what disturbs the machine for a while
 * disturbs them alike. Each round has fresh processes.
 */
export async function measureRounds(
  entrants: readonly Entrant[],
  points: readonly Point[],
  rounds: number,
): Promise<Measurements> {
  const all = new Map(
    points.map((point) => [
      point,
      new Map(entrants.map(({ name }) => [name, [] as Measurement[]])),
    ]),
  )
  for (let round = 1; round <= rounds; round++) {
    const drivers = await startDrivers(entrants)
    try {
      for (const [index, point] of points.entries()) {
        progress(`round ${round} of ${rounds}: ${point.label}`)
        for (const { name, driver } of rotated(drivers, round + index)) {
          const measurement = await measureAs(name, driver, point)
          if (measurement !== null) all.get(point)?.get(name)?.push(measurement)
        }
      }
      for (const { driver } of drivers) await driver.end()
    } finally {
      for (const { driver } of drivers) driver.kill()
    }
  }
  return all
}

async function startDrivers(
  entrants: readonly Entrant[],
): Promise<{ readonly name: string; readonly driver: Driver }[]> {
  const drivers = []
  for (const { name, command } of entrants) {
    drivers.push({ name, driver: await Driver.start(command) })
  }
  return drivers
}

async function measureAs(
  name: string,
  driver: Driver,
  { label, task }: Point,
): Promise<Measurement | null> {
  try {
    return await driver.measure(task)
  } catch (cause) {
    throw new Error(`${name} failed at "${label}"`, { cause })
  }
}
