/** The audit log of the platform as a file, with the filters of the screen. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { auditFile } from '#app/routes/audit/read.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'

export const loader = async (args: LoaderFunctionArgs) => auditFile(args, await requireSuperAdmin(args))
