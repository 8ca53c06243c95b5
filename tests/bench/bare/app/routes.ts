import { index, type RouteConfig } from '@remix-run/route-config'

export default [index('routes/users.tsx')] satisfies RouteConfig
