/** What the app uses of barcode-detector, beside its module in vendor/. */
export * from "barcode-detector/ponyfill";
