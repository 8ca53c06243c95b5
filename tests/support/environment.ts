/** Removes the caller's configuration, so that tests run only with their own. */
for (const name of Object.keys(process.env))
  if (/^(DATABASE_|FILES_|APP_SECRET|PUBLIC_ORIGIN|API_BASE_URL|DATA_DIR|PORT|HOST|DEMO|ROLE)/.test(name))
    delete process.env[name]
