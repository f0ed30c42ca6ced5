/**
 * Milliseconds of a clock that all processes of this machine share and nobody sets: what two processes
 * wrote down can be put in order by it.
 */
export function machineTime(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
