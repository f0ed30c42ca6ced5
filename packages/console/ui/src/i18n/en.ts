import { actions } from './en/actions.ts'
import { configuration } from './en/configuration.ts'
import { doctor } from './en/doctor.ts'
import { frame } from './en/frame.ts'
import { jobs } from './en/jobs.ts'
import { places } from './en/places.ts'

export const en = {
  ...frame,
  ...actions,
  ...jobs,
  ...configuration,
  ...doctor,
  ...places,
} as const
