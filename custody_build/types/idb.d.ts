/** The types of idb, beside its module in vendor/. */
export * from "idb";
