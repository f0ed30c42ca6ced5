import { beforeEach, inject } from 'vitest'

// The project reported at its start that its server is not installed.
beforeEach(({ skip }) => skip(inject('databaseUrl') === 'missing'))
