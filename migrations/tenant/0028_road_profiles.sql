-- What a vehicle is on the road; a car without.
alter table vehicles
    add column road_profile text,
    add constraint vehicles_road_profile_check
        check (road_profile in ('car', 'van', 'truck', 'hazmat_truck', 'bicycle'));
