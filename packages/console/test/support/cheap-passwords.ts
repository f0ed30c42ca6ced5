/** Tests send many passwords: what one costs is looked at where accounts are tested. */
import { vi } from 'vitest'

vi.mock('../../src/server/accounts/password-cost.ts', () => ({
  passwordCost: { N: 1024, r: 8, p: 1 },
}))
