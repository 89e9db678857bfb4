//! Photos and signatures of simulated drivers: drawn, each a little different. Pure.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};

use super::chance::Chance;

/// A photo of parcels in front of a door, as JPEG; none when it cannot be encoded.
pub(super) fn parcels(chance: &mut Chance) -> Option<Vec<u8>> {
    let (width, height) = (640, 480);
    let shade = |part: f64| (90.0 + 120.0 * part) as u8;
    let wall = [shade(chance.part()), shade(chance.part()), shade(chance.part())];
    let mut picture = RgbImage::from_fn(width, height, |_, y| {
        let dim = 1.0 - f64::from(y) / f64::from(height) * 0.35;
        Rgb(wall.map(|value| (f64::from(value) * dim) as u8))
    });
    let door = [shade(chance.part()) / 2, 60, 50];
    let left = chance.between(60.0, 260.0) as u32;
    fill(&mut picture, (left, 40, 190, 340), door);
    fill(&mut picture, (left + 160, 210, 12, 12), [216, 192, 74]);
    fill(&mut picture, (0, 380, width, 100), [70, 66, 62]);
    let count = 1 + (chance.part() * 3.0) as u32;
    for index in 0..count {
        let size = chance.between(60.0, 120.0) as u32;
        let x = 240 + index * 125;
        fill(&mut picture, (x, 440 - size, size, size), [185, 138, 79]);
        fill(&mut picture, (x + size / 2 - 5, 440 - size, 10, size), [214, 190, 150]);
        fill(&mut picture, (x + 8, 450 - size, size / 3, size / 5), [240, 236, 224]);
    }
    encoded(&picture, ImageFormat::Jpeg)
}

/// A signature, as PNG; none when it cannot be encoded.
pub(super) fn signature(chance: &mut Chance) -> Option<Vec<u8>> {
    let (width, height) = (400_u32, 140_u32);
    let mut picture = RgbImage::from_pixel(width, height, Rgb([255, 255, 255]));
    // A line that swings along, wider and narrower.
    let waves: Vec<(f64, f64, f64)> = (1..=4)
        .map(|n| {
            (f64::from(n) * chance.between(1.4, 2.6), chance.between(4.0, 18.0), chance.between(0.0, 6.3))
        })
        .collect();
    for step in 0..2400 {
        let t = f64::from(step) / 2400.0;
        let swing = |phase: f64| -> f64 {
            waves.iter().map(|(turns, size, at)| size * (turns * t * 6.3 + at + phase).sin()).sum()
        };
        let (x, y) = (40.0 + 300.0 * t + swing(1.6) * 0.6, 70.0 + swing(0.0) * (1.0 - 0.5 * t));
        fill(&mut picture, (x.max(0.0) as u32, y.max(0.0) as u32, 3, 3), [27, 42, 74]);
    }
    encoded(&picture, ImageFormat::Png)
}

/// Fills a rectangle: left, top, width, height. What lies outside the picture is left out.
fn fill(picture: &mut RgbImage, (left, top, width, height): (u32, u32, u32, u32), colour: [u8; 3]) {
    for y in top..(top + height).min(picture.height()) {
        for x in left..(left + width).min(picture.width()) {
            picture.put_pixel(x, y, Rgb(colour));
        }
    }
}

fn encoded(picture: &RgbImage, format: ImageFormat) -> Option<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).ok()?;
    Some(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_can_be_read() {
        for seed in 0..20 {
            let photo = parcels(&mut Chance::of(seed, &["photo"])).expect("a photo");
            let ink = signature(&mut Chance::of(seed, &["ink"])).expect("a signature");
            assert!(photo.len() < 100_000 && ink.len() < 30_000, "{} {}", photo.len(), ink.len());
            assert_eq!(image::load_from_memory(&photo).expect("a picture").width(), 640);
            assert_eq!(image::load_from_memory(&ink).expect("a picture").height(), 140);
        }
    }
}
