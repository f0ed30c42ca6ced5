import { coordinationMutants } from './coordination-mutants.ts'
import { foundationMutants } from './foundation-mutants.ts'
import type { Mutant } from './mutant.ts'
import { recoveryMutants } from './recovery-mutants.ts'
import { serviceMutants } from './service-mutants.ts'

export const mutants: readonly Mutant[] = [
  ...coordinationMutants,
  ...recoveryMutants,
  ...foundationMutants,
  ...serviceMutants,
]
