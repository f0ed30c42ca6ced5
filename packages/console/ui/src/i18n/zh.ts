import { actions } from './zh/actions.ts'
import { configuration } from './zh/configuration.ts'
import { doctor } from './zh/doctor.ts'
import { frame } from './zh/frame.ts'
import { jobs } from './zh/jobs.ts'
import { places } from './zh/places.ts'

export const zh = { ...frame, ...actions, ...jobs, ...configuration, ...doctor, ...places }
