/** The databases that hold histories. A password is written, and never read. */
import { z } from 'zod'

import { name } from './registries.ts'

export const dataSourceEntry = z.object({
  name: z.string(),
  /** `sqlite`, `postgresql` or `mysql`. */
  type: z.string(),
  /** Without a password. */
  url: z.string(),
  username: z.string().optional(),
  hasPassword: z.boolean(),
  /** Whether it is the one that is meant where none is named. */
  activated: z.boolean(),
  /** It was given when the console was started, and cannot be taken out. */
  fixed: z.boolean(),
})
export type DataSourceEntry = z.infer<typeof dataSourceEntry>

export const dataSourceBody = z
  .object({
    name,
    /**
     * `sqlite:/path/to/file`, `postgresql://host:5432/database`, `mysql://host:3306/database`, or the
     * same as JDBC has it, `jdbc:mysql://…`.
     */
    url: z.string().min(1).max(2000),
    username: z.string().max(200).optional(),
    /** Absent: none, or for one that is known, the one that is stored. */
    password: z.string().max(1000).optional(),
    /** What 2.x and 3.x send; the address says which one it is. */
    driver: z.string().max(200).optional(),
  })
  .strict()
export type DataSourceBody = z.infer<typeof dataSourceBody>
