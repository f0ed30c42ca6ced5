import { beforeEach, inject } from 'vitest'

// What was told when the project began: its server is not installed.
beforeEach(({ skip }) => skip(inject('databaseUrl') === 'missing'))
