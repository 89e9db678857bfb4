export const tutorial = {
  label: "Tutorial",
  offer: "Take the tour",
  skip: "Skip Tutorial",
  next: "Next",
  counter: "Step {n} of {total}",
  depot: "Depot location",
  chooseLocation: "Please select a location",
  noDepot: "No depot location found",
  creatingDrivers: "Creating drivers...",
  driversCreated: "Drivers created",
  driversFailed: "Failed to create drivers",
  creatingJobs: "Creating Jobs...",
  jobsCreated: "Jobs Created",
  jobsFailed: "Failed to create jobs",
  bookDemo: "Book a Demo",
  iosApp: "Driver app for iPhone",
  androidApp: "Driver app for Android",
  steps: {
    depot: {
      title: "Where is your depot?",
      text: "Choose where your drivers start. Three drivers are made there.",
    },
    drivers: {
      title: "Drivers",
      text: "Your drivers, with their shifts and depot. Ticked drivers take part in the optimisation. Next creates 15 jobs around the depot.",
    },
    jobs: {
      title: "Jobs",
      text: "Your deliveries, pickups and visits. Usually they come from a file or from another system.",
    },
    route: {
      title: "Let's Route",
      text: "All jobs are selected. Optimise gives each one to a driver, in the best order; the tutorial goes on when it is done.",
    },
    runs: {
      title: "Review your Runs",
      text: "One run per driver, with its times and distance. Open a run to see its stops.",
    },
    timeline: {
      title: "Detail and Timeline",
      text: "The day of each driver on a time axis. Drag a job to another place or run, or press M on it. Double-click or press Enter for its details.",
    },
    tracking: {
      title: "Tracking and Dispatch",
      text: "Click Tracking to follow the day and to send the run sheets.",
    },
    customers: {
      title: "Customer Tracking",
      text: "Send your customers a link that shows when their delivery arrives.",
    },
    dispatch: {
      title: "Dispatch to your Drivers",
      text: "Send each driver the run sheet. It opens on any phone, records proofs and works without a connection.",
    },
    demo: {
      title: "15 minute Demo",
      text: "We gladly show you the rest with your own data.",
    },
    finish: {
      title: "It is almost finish",
      text: "Next: choose the modules you need and add your co-workers.",
    },
  },
};
