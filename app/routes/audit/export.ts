/** The audit log as a file, with the filters of the screen. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { auditFile } from './read.server.ts'

export const loader = async (args: LoaderFunctionArgs) => auditFile(args, await requireDashboard(args))
